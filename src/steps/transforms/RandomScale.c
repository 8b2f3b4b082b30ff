/* RandomScale: enlarges or shrinks at random, proportionally. */
#include "steps/transform.h"

struct params {
    struct range scale_limit;
    int interpolation;
    bool antialias;
};

static const struct row rows[] = {
    RANGE(struct params, scale_limit, .preset = "[-0.1, 0.1]", .limit = { -1, 100 }, .above = true,
          .scalar = SCALAR_SYMMETRIC, .usual = { -0.5, 0.5 },
          .help = "range of the number added to a scale of 1; v means [-v, v]"),
    RESIZE_ROWS(struct params),
    ROWS_END,
};

static void draw(struct run *run)
{
    const struct params *p = run->params;
    double scale = 1 + rng_between(run->rng, p->scale_limit.lo, p->scale_limit.hi);

    emit_resize(run, (int)(run->frame.height * scale), (int)(run->frame.width * scale));
}

const struct transform RandomScale_transform = {
    .name = "RandomScale",
    .summary = "resize by a random factor with probability `p`",
    .group = GROUP_GEOMETRY,
    .origin = ORIGIN_ALBUMENTATIONS,
    .example = "{\"type\": \"RandomScale\", \"scale_limit\": [-0.4, 0.2], \"p\": 1}",
    .emits = (const char *const[]){ "resize", NULL },
    .params = rows,
    .params_size = sizeof(struct params),
    .chance = 0.5,
    .draw = draw,
};
