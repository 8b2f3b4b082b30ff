/* PlasmaBrightnessContrast: varies brightness and contrast across the image, at random. */
#include "steps/transform.h"

struct params {
    struct range brightness_range, contrast_range;
    double roughness;
};

static const struct row rows[] = {
    RANGE(struct params, brightness_range, .preset = "[-0.3, 0.3]", .limit = { -1, 1 },
          .usual = { -0.3, 0.3 },
          .help = "range of the number added where the fractal is 1; 1 is white"),
    RANGE(struct params, contrast_range, .preset = "[-0.3, 0.3]", .limit = { -1, 1 },
          .usual = { -0.3, 0.3 },
          .help = "range of the relative increase of distances from the image's mean there"),
    ROUGHNESS_ROW(struct params),
    ROWS_END,
};

static void draw(struct run *run)
{
    const struct params *p = run->params;
    double brightness = rng_between(run->rng, p->brightness_range.lo, p->brightness_range.hi);
    double contrast = rng_between(run->rng, p->contrast_range.lo, p->contrast_range.hi);

    emit_shared(run, "plasma_brightness_contrast", NUM("brightness", brightness),
                NUM("contrast", contrast), NUM("key", draw_key(run)));
}

const struct transform PlasmaBrightnessContrast_transform = {
    .name = "PlasmaBrightnessContrast",
    .summary = "vary brightness and contrast across the image, with random strength",
    .group = GROUP_COLOUR,
    .origin = ORIGIN_ALBUMENTATIONS,
    .differs = PLASMA_DIFFERS,
    .example = "{\"type\": \"PlasmaBrightnessContrast\", \"brightness_range\": [0.3, 0.5], "
               "\"roughness\": 0.4}",
    .emits = (const char *const[]){ "plasma_brightness_contrast", NULL },
    .params = rows,
    .params_size = sizeof(struct params),
    .chance = 0.5,
    .draw = draw,
};
