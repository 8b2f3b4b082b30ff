/* gaussian_blur: a Gaussian of a given width and size. */
#include "steps/op.h"

#include "pixels/filters.h"

struct params {
    struct optional_list kernel_size, sigma;
};

static const struct row rows[] = {
    OPTIONAL_LIST(struct params, kernel_size, .preset = "null", .least = 1, .most = 2,
                  .whole = true, .odd = true, .unit = "pixels", .limit = { 1, 999 },
                  .usual = { 1, 15 },
                  .help = "odd number of taps; [x, y] or one number for both; null: all taps "
                          "within 3.5 deviations"),
    OPTIONAL_LIST(struct params, sigma, .preset = "null", .least = 1, .most = 2, .unit = "pixels",
                  .limit = { 0, 1000 }, .above = true, .usual = { 0.3, 3 },
                  .help = "standard deviation; [x, y] or one number; null: 0.15 * kernel_size + "
                          "0.35"),
    ROWS_END,
};

static bool check(const void *params, const struct value *step, struct faults *faults)
{
    const struct params *p = params;

    return p->kernel_size.given || p->sigma.given ||
           value_fault(faults, step, false, "param-missing", "give \"kernel_size\" or \"sigma\"");
}

/* Returns value i of a list of one or two numbers. */
static double of_axis(const struct list *list, int i)
{
    return list->at[list->n > 1 ? i : 0];
}

/* Chooses taps and deviation along x or y. A kernel derived from its deviation has as many taps as
 * in Albumentations; a deviation derived from the kernel is the same as in torchvision and OpenCV.
 */
static void kernel_of_axis(const struct params *p, int i, int *n, double *sigma)
{
    *sigma = p->sigma.given ? of_axis(&p->sigma.list, i) : 0;
    *n = p->kernel_size.given ? (int)of_axis(&p->kernel_size.list, i)
                              : (int)fmin(floor(3.5 * *sigma), 499) * 2 + 1;
    if (!p->sigma.given)
        *sigma = 0.15 * *n + 0.35;
}

static bool resolve(const void *params, const struct scene *scene, struct action *out)
{
    const struct params *p = params;
    double sx, sy;
    int nx, ny;

    kernel_of_axis(p, 0, &nx, &sx);
    kernel_of_axis(p, 1, &ny, &sy);
    if (nx == 1 && ny == 1)
        return true;
    out->family = FAMILY_CONVOLVE;
    out->u.kernel.nx = nx;
    out->u.kernel.ny = ny;
    out->u.kernel.x = gaussian_kernel(scene->arena, nx, sx);
    out->u.kernel.y = gaussian_kernel(scene->arena, ny, sy);
    return true;
}

const struct op gaussian_blur_op = {
    .name = "gaussian_blur",
    .summary = "blur with a Gaussian; borders are mirrored",
    .group = GROUP_BLUR,
    .origin = ORIGIN_TORCHVISION,
    .example = "{\"type\": \"gaussian_blur\", \"kernel_size\": [5, 5], \"sigma\": 1.2}",
    .params = rows,
    .params_size = sizeof(struct params),
    .family = FAMILY_CONVOLVE,
    .effect = EFFECT_RECOLOURS,
    .check = check,
    .resolve = resolve,
};
