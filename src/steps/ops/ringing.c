/* ringing: an ideal low-pass filter, which makes waves next to edges. */
#include "steps/op.h"
#include "steps/op_shared/actions.h"
#include "pixels/filters.h"

struct params {
    int kernel_size;
    double cutoff;
};

static const struct row rows[] = {
    INTEGER(struct params, kernel_size, .odd = true, .unit = "pixels", .limit = { 1, 63 },
            .usual = { 3, 15 }, .help = "side of the kernel; odd"),
    NUMBER(struct params, cutoff, .unit = "radians per pixel", .limit = { 0, M_PI }, .above = true,
           .usual = { 0.6, 2 },
           .help = "cutoff frequency of the low-pass filter; pi lets everything through"),
    ROWS_END,
};

/* The Bessel function of the first kind of order 1: the mean of cos(t - x sin t) over half a turn.
 * Computed by the trapezoidal rule; with n trapezoids the error is the function of order 2 n. */
static double bessel_1(double x)
{
    int n = 24 + (int)x;
    double sum = 0;

    for (int i = 1; i < n; i++) {
        double t = M_PI * i / n;

        sum += cos(t - x * sin(t));
    }
    return sum / n; /* the end points have the values 1 and -1 */
}

static bool resolve(const void *params, const struct scene *scene, struct action *out)
{
    const struct params *p = params;
    int size = p->kernel_size, half = size / 2, n = size * size;
    double *weight = ARENA_ARRAY(scene->arena, double, (size_t)n), sum = 0;
    struct tap *tap = ARENA_ARRAY(scene->arena, struct tap, (size_t)n);

    for (int i = 0; i < n; i++) {
        double r = hypot(i % size - half, i / size - half);

        weight[i] = r > 0 ? p->cutoff * bessel_1(p->cutoff * r) / (2 * M_PI * r)
                          : p->cutoff * p->cutoff / (4 * M_PI);
        sum += weight[i];
    }
    for (int i = 0; i < n; i++)
        tap[i] = (struct tap){ i % size - half, i / size - half, (float)(weight[i] / sum) };
    if (n > 1)
        action_taps(scene, out, tap, n);
    return true;
}

const struct op ringing_op = {
    .name = "ringing",
    .summary = "make waves next to edges, by a circular sinc filter; borders are mirrored",
    .group = GROUP_BLUR,
    .origin = ORIGIN_OWN,
    .example = "{\"type\": \"ringing\", \"kernel_size\": 15, \"cutoff\": 0.8}",
    .params = rows,
    .params_size = sizeof(struct params),
    .family = FAMILY_RASTER,
    .effect = EFFECT_RECOLOURS,
    .resolve = resolve,
};
