/* RandomSolarize: inverts bright colors with probability p. */
#include "steps/transform.h"

struct params {
    struct range threshold;
};

static const struct row rows[] = {
    RANGE(struct params, threshold, .unit = "levels", .limit = { 0, 255 },
          .help = "lowest level that is inverted, on the scale 0..255, or its range"),
    ROWS_END,
};

static void draw(struct run *run)
{
    const struct params *p = run->params;

    emit(run, "solarize",
         NUM("threshold", rng_between(run->rng, p->threshold.lo, p->threshold.hi)));
}

const struct transform RandomSolarize_transform = {
    .name = "RandomSolarize",
    .summary = "invert bright colours with probability `p`",
    .group = GROUP_COLOUR,
    .origin = ORIGIN_TORCHVISION,
    .example = "{\"type\": \"RandomSolarize\", \"threshold\": 128, \"p\": 0.5}",
    .emits = (const char *const[]){ "solarize", NULL },
    .params = rows,
    .params_size = sizeof(struct params),
    .chance = 0.5,
    .draw = draw,
};
