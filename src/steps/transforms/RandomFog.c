/* RandomFog: fog of random thickness, by distance from a random horizon, or in puffs. */
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
    { "puffs", PUFFS,
      "discs of fog, more of them near the middle, and blurred, as Albumentations has them" },
    { 0 },
};

static const struct row rows[] = {
    NUMBER(struct params, alpha_coef, .preset = "0.08", .limit = { 0, 1 }, .above = true,
           .help =
               "opacity of a puff of fog, at a `fog_coef` of 1. With `distance`, what is at the "
               "horizon lies behind three puffs: by default they hide 22 % of it at most"),
    RANGE(struct params, fog_coef_range, .preset = "[0.3, 1]", .limit = { 0, 1 },
          .help = "`alpha_coef` is multiplied by a number drawn from this range"),
    RANGE(struct params, horizon_range, .preset = "[0.3, 0.5]", .limit = { 0, 1 },
          .help = "distance: how far down the horizon is, as a share of the height"),
    COLOUR(struct params, fog_color, .preset = "255", .help = "a number, or one per channel"),
    CHOICE(struct params, method, .preset = "\"distance\"", .choices = methods,
           .help = "where the fog lies"),
    ROWS_END,
};

static void draw(struct run *run)
{
    const struct params *p = run->params;
    double coef = rng_between(run->rng, p->fog_coef_range.lo, p->fog_coef_range.hi);
    double left = 1 - p->alpha_coef * coef; /* by one puff */
    double horizon = rng_between(run->rng, p->horizon_range.lo, p->horizon_range.hi);

    if (p->method == PUFFS)
        emit_shared(run, "fog_puffs", NUM("fog_coef", coef), NUM("key", draw_key(run)));
    else
        emit(run, "fog", NUM("intensity", 1 - left * left * left), NUM("horizon", horizon),
             arg_colour("color", &p->fog_color));
}

const struct transform RandomFog_transform = {
    .name = "RandomFog",
    .summary = "fog of random thickness",
    .group = GROUP_WEATHER,
    .origin = ORIGIN_ALBUMENTATIONS,
    .note = "by default fog thickens with distance; Albumentations' lies in `puffs`",
    .example = "{\"type\": \"RandomFog\", \"p\": 0.5, \"fog_coef_range\": [0.4, 0.9]}",
    .emits = (const char *const[]){ "fog", "fog_puffs", NULL },
    .params = rows,
    .params_size = sizeof(struct params),
    .chance = 0.5,
    .draw = draw,
};
