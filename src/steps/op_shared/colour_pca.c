/* colour_pca: the principal axes of an image's colors, by Jacobi's method. */
#include "steps/op_shared/colour_pca.h"

#include <math.h>
#include <stdbool.h>

/* A symmetric matrix `m` while it is diagonalized. At the end its diagonal has the variances along
 * the axes, which are the columns of `axis` and have length 1. */
struct diagonalization {
    double m[3][3], axis[3][3];
};

/* Makes one Jacobi rotation, which sets m[p][q] to 0 (Golub and Van Loan, Matrix
 * Computations, 8.5). Uses only operations that IEEE 754 rounds correctly, so that all machines
 * compute the same axes. */
static void turn(struct diagonalization *a, int p, int q)
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

static struct diagonalization axes_of(const double covariance[3][3])
{
    enum { SWEEPS = 10 }; /* in double precision the fifth changes nothing anymore */
    struct diagonalization a = { .axis = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } } };

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

/* Returns the rank of axis k: the number of axes with a larger variance, or an equal one and a
 * lower index. */
static int rank_of(const struct diagonalization *a, int k)
{
    int before = 0;

    for (int i = 0; i < 3; i++)
        before += a->m[i][i] > a->m[k][k] || (a->m[i][i] == a->m[k][k] && i < k);
    return before;
}

/* Returns the sign for axis k, since eigenvectors have none: the largest component becomes
 * positive. */
static double sign_of(const struct diagonalization *a, int k)
{
    int largest = 0;

    for (int i = 1; i < 3; i++)
        if (fabs(a->axis[i][k]) > fabs(a->axis[largest][k]))
            largest = i;
    return a->axis[largest][k] < 0 ? -1 : 1;
}

struct principal_axes principal_axes(const double covariance[3][3])
{
    struct diagonalization a = axes_of(covariance);
    struct principal_axes out;

    for (int k = 0; k < 3; k++) {
        int rank = rank_of(&a, k);
        double sign = sign_of(&a, k);

        out.variance[rank] = a.m[k][k];
        for (int i = 0; i < 3; i++)
            out.axis[rank][i] = sign * a.axis[i][k];
    }
    return out;
}
