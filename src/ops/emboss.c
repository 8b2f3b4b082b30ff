/* emboss: light from below on the right. */
#include "../op.h"
#include "../op/actions.h"
#include "../pixels/filters.h"

struct params {
    double alpha, strength;
};

static const struct row rows[] = {
    NUMBER(struct params, alpha, .limit = { 0, 1 }, .usual = { 0.1, 0.6 },
           .help = "share of the filtered image"),
    NUMBER(struct params, strength, .preset = "0.5", .limit = { 0, 100 }, .usual = { 0.1, 1 },
           .help = "of the relief"),
    ROWS_END,
};

struct context {
    struct tap tap[9];
};

static void raster(const void *context, const struct plane *in, struct plane *out,
                   struct pool *pool)
{
    const struct context *c = context;

    plane_convolve_taps(in, out, c->tap, 9, pool);
}

/* Albumentations' kernel, blended with the pixel by alpha; it sums to 1. */
static bool resolve(const void *params, const struct scene *scene, struct action *out)
{
    const struct params *p = params;
    struct context *c = ARENA_NEW(scene->arena, struct context);
    const double effect[9] = { -1 - p->strength, -p->strength,   0, -p->strength, 1, p->strength, 0,
                               p->strength,      1 + p->strength };

    for (int i = 0; i < 9; i++)
        c->tap[i] = (struct tap){ i % 3 - 1, i / 3 - 1,
                                  (float)(p->alpha * effect[i] + (i == 4 ? 1 - p->alpha : 0)) };
    if (p->alpha > 0)
        action_raster(out, raster, c);
    return true;
}

const struct op emboss_op = {
    .name = "emboss",
    .summary = "raise edges like a relief, by a kernel of 3x3 pixels; borders are mirrored",
    .group = GROUP_BLUR,
    .origin = ORIGIN_OWN,
    .example = "{\"type\": \"emboss\", \"alpha\": 0.5, \"strength\": 0.7}",
    .params = rows,
    .params_size = sizeof(struct params),
    .family = FAMILY_RASTER,
    .effect = EFFECT_RECOLOURS,
    .resolve = resolve,
};
