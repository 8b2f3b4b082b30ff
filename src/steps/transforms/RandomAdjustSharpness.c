/* RandomAdjustSharpness: sharpens or softens with probability p. */
#include "steps/transform.h"

struct params {
    struct range sharpness_factor;
};

static const struct row rows[] = {
    RANGE(struct params, sharpness_factor, .limit = { 0, INFINITY }, .usual = { 0.2, 3 },
          .help = "factor or its range: 0 is a blur over 3x3 pixels, 1 changes nothing, 2 doubles "
                  "distances from the blur"),
    ROWS_END,
};

static void draw(struct run *run)
{
    const struct params *p = run->params;

    emit(run, "adjust_sharpness",
         NUM("sharpness_factor",
             rng_between(run->rng, p->sharpness_factor.lo, p->sharpness_factor.hi)));
}

const struct transform RandomAdjustSharpness_transform = {
    .name = "RandomAdjustSharpness",
    .summary = "sharpen or soften with probability `p`",
    .group = GROUP_BLUR,
    .origin = ORIGIN_TORCHVISION,
    .example = "{\"type\": \"RandomAdjustSharpness\", \"sharpness_factor\": 2, \"p\": 0.5}",
    .emits = (const char *const[]){ "adjust_sharpness", NULL },
    .params = rows,
    .params_size = sizeof(struct params),
    .chance = 0.5,
    .draw = draw,
};
