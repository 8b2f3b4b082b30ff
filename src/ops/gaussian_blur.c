/* gaussian_blur: a Gaussian of given width and reach. */
#include "../op.h"

#include "../pixels/filters.h"

struct params {
    struct list kernel_size;
    struct optional_list sigma;
};

static const struct row rows[] = {
    LIST(struct params, kernel_size, .least = 1, .most = 2, .whole = true, .odd = true,
         .unit = "pixels", .limit = { 1, 999 }, .usual = { 1, 15 },
         .help = "taps of the kernel, odd; [x, y] or one number for both"),
    OPTIONAL_LIST(struct params, sigma, .preset = "null", .least = 1, .most = 2, .unit = "pixels",
                  .limit = { 0, 1000 }, .above = true, .usual = { 0.3, 3 },
                  .help = "standard deviation; [x, y] or one number; null: 0.15 * kernel_size + "
                          "0.35"),
    ROWS_END,
};

static bool resolve(const void *params, const struct scene *scene, struct action *out)
{
    const struct params *p = params;
    int nx = (int)p->kernel_size.at[0], ny = (int)p->kernel_size.at[p->kernel_size.n - 1];
    double sx = 0.15 * nx + 0.35, sy = 0.15 * ny + 0.35;

    if (p->sigma.given) {
        sx = p->sigma.list.at[0];
        sy = p->sigma.list.at[p->sigma.list.n - 1];
    }
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
    .resolve = resolve,
};
