/* fancy_pca: all pixels shifted along the principal axes of the image's colours (Krizhevsky,
 * Sutskever, Hinton, NIPS 2012, section 4.1). */
#include "../op.h"
#include "../op/actions.h"

struct params {
    struct list alpha;
};

static const struct row rows[] = {
    LIST(struct params, alpha, .least = 3, .most = 3, .usual = { -3, 3 },
         .help =
             "how far along each axis, the longest first, in multiples of the colours' variance "
             "along it, colours going from 0 to 1 (an axis points to where its largest part is "
             "positive); a gray image has one axis"),
    ROWS_END,
};

/* A symmetric matrix that becomes diagonal: its values are then the variances along the axes, which
 * are the columns of `axis`, of length 1. */
struct turning {
    double m[3][3], axis[3][3];
};

/* One of Jacobi's rotations: m[p][q] becomes 0 (Golub and Van Loan, Matrix Computations, 8.5). Made
 * only of operations that IEEE rounds exactly, so that all machines see the same axes. */
static void turn(struct turning *a, int p, int q)
{
    double theta = (a->m[q][q] - a->m[p][p]) / (2 * a->m[p][q]);
    double t = (theta < 0 ? -1 : 1) / (fabs(theta) + sqrt(theta * theta + 1));
    double c = 1 / sqrt(t * t + 1), s = t * c;

    for (int k = 0; k < 3; k++) {
        double at_p = a->m[k][p], at_q = a->m[k][q], from_p = a->axis[k][p];

        a->m[k][p] = c * at_p - s * at_q;
        a->m[k][q] = s * at_p + c * at_q;
        a->axis[k][p] = c * from_p - s * a->axis[k][q];
        a->axis[k][q] = s * from_p + c * a->axis[k][q];
    }
    for (int k = 0; k < 3; k++) {
        double at_p = a->m[p][k], at_q = a->m[q][k];

        a->m[p][k] = c * at_p - s * at_q;
        a->m[q][k] = s * at_p + c * at_q;
    }
    a->m[p][q] = a->m[q][p] = 0;
}

static struct turning axes_of(const double covariance[3][3])
{
    enum { SWEEPS = 10 }; /* the fifth finds nothing left to do in double precision */
    struct turning a = { .axis = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } } };

    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            a.m[i][j] = covariance[i][j];
    for (int sweep = 0; sweep < SWEEPS; sweep++)
        for (int p = 0; p < 2; p++)
            for (int q = p + 1; q < 3; q++)
                if (a.m[p][q] != 0)
                    turn(&a, p, q);
    return a;
}

/* How many axes come before axis k: longer ones, or as long and earlier. */
static int rank_of(const struct turning *a, int k)
{
    int before = 0;

    for (int i = 0; i < 3; i++)
        before += a->m[i][i] > a->m[k][k] || (a->m[i][i] == a->m[k][k] && i < k);
    return before;
}

/* Eigenvectors have no sign of their own. */
static double sign_of(const struct turning *a, int k)
{
    int largest = 0;

    for (int i = 1; i < 3; i++)
        if (fabs(a->axis[i][k]) > fabs(a->axis[largest][k]))
            largest = i;
    return a->axis[largest][k] < 0 ? -1 : 1;
}

static bool resolve(const void *params, const struct scene *scene, struct action *out)
{
    const struct params *p = params;
    struct turning a = axes_of(scene->moments->covariance);
    double offset[3] = { 0 };

    for (int k = 0; k < 3; k++) {
        double variance = a.m[k][k] / (255.0 * 255.0);
        double far = 255 * p->alpha.at[rank_of(&a, k)] * variance * sign_of(&a, k);

        for (int i = 0; i < 3; i++)
            offset[i] += far * a.axis[i][k];
    }
    action_lines(scene, out, (double[]){ 1, 1, 1 }, offset);
    return true;
}

const struct op fancy_pca_op = {
    .name = "fancy_pca",
    .summary = "shift all pixels along the principal axes of the image's colours",
    .group = GROUP_COLOUR,
    .origin = ORIGIN_OWN,
    .example = "{\"type\": \"fancy_pca\", \"alpha\": [1.5, -3, 2]}",
    .params = rows,
    .params_size = sizeof(struct params),
    .family = FAMILY_TABLE,
    .linear = true,
    .effect = EFFECT_RECOLOURS,
    .needs = NEEDS_COVARIANCE,
    .resolve = resolve,
};
