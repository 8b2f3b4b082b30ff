/* RandomFog: fog of random density, by distance from a random horizon, or in puffs. */
#include "steps/transform.h"

enum method { DISTANCE, PUFFS };

struct params {
    double alpha_coef;
    struct range fog_coef_range, horizon_range;
    struct colour fog_color;
    int method;
};

static const struct choice methods[] = {
    { "distance", DISTANCE, "fog thickens with distance, up to the horizon" },
    { "puffs", PUFFS, "blurred discs of fog, more of them near the middle, as in Albumentations" },
    { 0 },
};

static const struct row rows[] = {
    NUMBER(struct params, alpha_coef, .preset = "0.08", .limit = { 0, 1 }, .above = true,
           .help = "opacity of a puff of fog, at a `fog_coef` of 1. With `distance`, three puffs "
                   "cover the horizon: by default they hide at most 22 % of it"),
    RANGE(struct params, fog_coef_range, .preset = "[0.3, 1]", .limit = { 0, 1 },
          .help = "range of the random factor for `alpha_coef`"),
    RANGE(struct params, horizon_range, .preset = "[0.3, 0.5]", .limit = { 0, 1 },
          .help = "distance: range of the horizon's position from the top, as a share of the "
                  "height"),
    COLOUR(struct params, fog_color, .preset = "255", .help = "a number, or one per channel"),
    CHOICE(struct params, method, .preset = "\"distance\"", .choices = methods,
           .help = "distribution of the fog"),
    ROWS_END,
};

static void draw(struct run *run)
{
    const struct params *p = run->params;
    double coef = rng_between(run->rng, p->fog_coef_range.lo, p->fog_coef_range.hi);
    double left = 1 - p->alpha_coef * coef; /* visible share after one puff */
    double horizon = rng_between(run->rng, p->horizon_range.lo, p->horizon_range.hi);

    if (p->method == PUFFS)
        emit_shared(run, "fog_puffs", NUM("fog_coef", coef), NUM("key", draw_key(run)));
    else
        emit(run, "fog", NUM("intensity", 1 - left * left * left), NUM("horizon", horizon),
             arg_colour("color", &p->fog_color));
}

const struct transform RandomFog_transform = {
    .name = "RandomFog",
    .summary = "fog of random density",
    .group = GROUP_WEATHER,
    .origin = ORIGIN_ALBUMENTATIONS,
    .note = "by default fog thickens with distance; Albumentations has puffs (`puffs`)",
    .example = "{\"type\": \"RandomFog\", \"p\": 0.5, \"fog_coef_range\": [0.4, 0.9]}",
    .emits = (const char *const[]){ "fog", "fog_puffs", NULL },
    .params = rows,
    .params_size = sizeof(struct params),
    .chance = 0.5,
    .draw = draw,
};
