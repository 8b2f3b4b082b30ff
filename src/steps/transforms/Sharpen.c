/* Sharpen: blends in a sharpened copy, with a random share. */
#include "steps/transform.h"

struct params {
    struct range alpha, lightness;
};

static const struct row rows[] = {
    RANGE(struct params, alpha, .preset = "[0.2, 0.5]", .limit = { 0, 1 }, .usual = { 0.1, 0.6 },
          .help = "range of the share of the sharpened image"),
    RANGE(struct params, lightness, .preset = "[0.5, 1]", .limit = { 0, 100 },
          .usual = { 0.5, 1.5 },
          .help = "range of the lightness of the sharpened image; 1 keeps the brightness, less "
                  "darkens"),
    ROWS_END,
};

static void draw(struct run *run)
{
    const struct params *p = run->params;
    double alpha = rng_between(run->rng, p->alpha.lo, p->alpha.hi);

    emit(run, "sharpen", NUM("alpha", alpha),
         NUM("lightness", rng_between(run->rng, p->lightness.lo, p->lightness.hi)));
}

const struct transform Sharpen_transform = {
    .name = "Sharpen",
    .summary = "sharpen at random, by a kernel of 3x3 pixels",
    .group = GROUP_BLUR,
    .origin = ORIGIN_ALBUMENTATIONS,
    .example = "{\"type\": \"Sharpen\", \"alpha\": [0.3, 0.8]}",
    .emits = (const char *const[]){ "sharpen", NULL },
    .params = rows,
    .params_size = sizeof(struct params),
    .chance = 0.5,
    .draw = draw,
};
