/* Solarize: inverts colors above a random threshold with probability p. */
#include "steps/transform.h"

struct params {
    struct range threshold_range;
};

static const struct row rows[] = {
    RANGE(struct params, threshold_range, .preset = "[0.5, 0.5]", .limit = { 0, 1 },
          .help = "range of the lowest level that is inverted, on the scale 0..1"),
    ROWS_END,
};

static void draw(struct run *run)
{
    const struct params *p = run->params;

    emit(run, "solarize",
         NUM("threshold",
             255 * rng_between(run->rng, p->threshold_range.lo, p->threshold_range.hi)));
}

const struct transform Solarize_transform = {
    .name = "Solarize",
    .summary = "invert colours above a random threshold with probability `p`",
    .group = GROUP_COLOUR,
    .origin = ORIGIN_ALBUMENTATIONS,
    .example = "{\"type\": \"Solarize\", \"threshold_range\": [0.3, 0.7], \"p\": 1}",
    .emits = (const char *const[]){ "solarize", NULL },
    .params = rows,
    .params_size = sizeof(struct params),
    .chance = 0.5,
    .draw = draw,
};
