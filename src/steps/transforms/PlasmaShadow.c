/* PlasmaShadow: shadows of a plasma fractal, of random strength. */
#include "steps/transform.h"

struct params {
    struct range shadow_intensity_range;
    double roughness;
};

static const struct row rows[] = {
    RANGE(struct params, shadow_intensity_range, .preset = "[0.3, 0.7]", .limit = { 0, 1 },
          .help = "range of the share of the light that the deepest shadow removes"),
    ROUGHNESS_ROW(struct params),
    ROWS_END,
};

static void draw(struct run *run)
{
    const struct params *p = run->params;
    double intensity =
        rng_between(run->rng, p->shadow_intensity_range.lo, p->shadow_intensity_range.hi);

    emit_shared(run, "plasma_shadow", NUM("intensity", intensity), NUM("key", draw_key(run)));
}

const struct transform PlasmaShadow_transform = {
    .name = "PlasmaShadow",
    .summary = "darken by a plasma fractal, with random strength",
    .group = GROUP_WEATHER,
    .origin = ORIGIN_ALBUMENTATIONS,
    .differs = PLASMA_DIFFERS,
    .example = "{\"type\": \"PlasmaShadow\", \"shadow_intensity_range\": [0.6, 0.8], "
               "\"roughness\": 0.4}",
    .emits = (const char *const[]){ "plasma_shadow", NULL },
    .params = rows,
    .params_size = sizeof(struct params),
    .chance = 0.5,
    .draw = draw,
};
