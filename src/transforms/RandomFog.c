/* RandomFog: fog of random thickness and horizon. */
#include "../transform.h"

struct params {
    double alpha_coef;
    struct range fog_coef_range, horizon_range;
    struct colour fog_color;
};

static const struct row rows[] = {
    NUMBER(struct params, alpha_coef, .preset = "0.08", .limit = { 0, 1 }, .above = true,
           .help = "opacity of a puff of fog, at a `fog_coef` of 1. What is at the horizon lies "
                   "behind three puffs: by default they hide 22 % of it at most (Albumentations "
                   "lays puffs over the image, the more the nearer to its middle; here fog "
                   "thickens with distance)"),
    RANGE(struct params, fog_coef_range, .preset = "[0.3, 1]", .limit = { 0, 1 },
          .help = "`alpha_coef` is multiplied by a number drawn from this range"),
    RANGE(struct params, horizon_range, .preset = "[0.3, 0.5]", .limit = { 0, 1 },
          .help = "how far down the horizon is, as a share of the height"),
    COLOUR(struct params, fog_color, .preset = "255", .help = "a number, or one per channel"),
    ROWS_END,
};

static void draw(struct run *run)
{
    const struct params *p = run->params;
    double coef = rng_between(run->rng, p->fog_coef_range.lo, p->fog_coef_range.hi);
    double left = 1 - p->alpha_coef * coef; /* by one puff */
    double horizon = rng_between(run->rng, p->horizon_range.lo, p->horizon_range.hi);

    emit(run, "fog", NUM("intensity", 1 - left * left * left), NUM("horizon", horizon),
         arg_colour("color", &p->fog_color));
}

const struct transform RandomFog_transform = {
    .name = "RandomFog",
    .summary = "fog of random thickness",
    .group = GROUP_WEATHER,
    .origin = ORIGIN_ALBUMENTATIONS,
    .example = "{\"type\": \"RandomFog\", \"p\": 0.5, \"fog_coef_range\": [0.4, 0.9]}",
    .emits = (const char *const[]){ "fog", NULL },
    .params = rows,
    .params_size = sizeof(struct params),
    .chance = 0.5,
    .draw = draw,
};
