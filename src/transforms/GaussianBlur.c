/* GaussianBlur: a Gaussian of random width. */
#include "../transform.h"

struct params {
    struct list kernel_size;
    struct range sigma;
};

static const struct row rows[] = {
    LIST(struct params, kernel_size, .least = 1, .most = 2, .whole = true, .odd = true,
         .unit = "pixels", .limit = { 1, 999 }, .usual = { 1, 15 },
         .help = "taps of the kernel, odd; [x, y] or one number for both"),
    RANGE(struct params, sigma, .preset = "[0.1, 2]", .unit = "pixels", .limit = { 0, 1000 },
          .above = true, .usual = { 0.1, 3 },
          .help = "standard deviation's range; one value for x and y"),
    ROWS_END,
};

static void draw(struct run *run)
{
    const struct params *p = run->params;

    emit_shared(run, "gaussian_blur",
                NUM("sigma", rng_between(run->rng, p->sigma.lo, p->sigma.hi)));
}

const struct transform GaussianBlur_transform = {
    .name = "GaussianBlur",
    .summary = "blur with a Gaussian of random width",
    .group = GROUP_BLUR,
    .origin = ORIGIN_TORCHVISION,
    .differs = "Albumentations has one, too: its `blur_limit` and `sigma_limit` are "
               "`kernel_size` and `sigma` here",
    .example = "{\"type\": \"GaussianBlur\", \"kernel_size\": 5, \"sigma\": [0.1, 2]}",
    .emits = (const char *const[]){ "gaussian_blur", NULL },
    .params = rows,
    .params_size = sizeof(struct params),
    .draw = draw,
};
