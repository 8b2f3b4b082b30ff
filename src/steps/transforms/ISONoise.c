/* ISONoise: adds sensor noise at high sensitivity. */
#include "steps/transform.h"

struct params {
    struct range color_shift, intensity;
};

static const struct row rows[] = {
    RANGE(struct params, color_shift, .preset = "[0.01, 0.05]", .limit = { 0, 1 },
          .usual = { 0, 0.1 }, .help = "range of the hue's noise; see the op iso_noise"),
    RANGE(struct params, intensity, .preset = "[0.1, 0.5]", .limit = { 0, 2 }, .usual = { 0, 1 },
          .help = "range of the strength"),
    ROWS_END,
};

static void draw(struct run *run)
{
    const struct params *p = run->params;
    double shift = rng_between(run->rng, p->color_shift.lo, p->color_shift.hi);
    double intensity = rng_between(run->rng, p->intensity.lo, p->intensity.hi);

    emit(run, "iso_noise", NUM("color_shift", shift), NUM("intensity", intensity),
         NUM("key", draw_key(run)));
}

const struct transform ISONoise_transform = {
    .name = "ISONoise",
    .summary = "add sensor noise at high sensitivity",
    .group = GROUP_NOISE,
    .origin = ORIGIN_ALBUMENTATIONS,
    .differs = "the lightness noise is normal and does not depend on the image; Albumentations "
               "adds rare white specks, more in images with contrast, four times as strong on "
               "dark gray",
    .example = "{\"type\": \"ISONoise\", \"intensity\": [0.4, 0.8], \"p\": 1}",
    .emits = (const char *const[]){ "iso_noise", NULL },
    .params = rows,
    .params_size = sizeof(struct params),
    .chance = 0.5,
    .draw = draw,
};
