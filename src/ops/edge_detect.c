/* edge_detect: where values change. */
#include "../op.h"
#include "../op/actions.h"
#include "../pixels/filters.h"

struct params {
    double alpha;
};

static const struct row rows[] = {
    NUMBER(struct params, alpha, .limit = { 0, 1 }, .usual = { 0.1, 0.6 },
           .help = "share of the filtered image"),
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

/* imgaug's kernel, which is Laplace's, blended with the pixel by alpha. */
static bool resolve(const void *params, const struct scene *scene, struct action *out)
{
    const struct params *p = params;
    struct context *c = ARENA_NEW(scene->arena, struct context);
    const double effect[9] = { 0, 1, 0, 1, -4, 1, 0, 1, 0 };

    for (int i = 0; i < 9; i++)
        c->tap[i] = (struct tap){ i % 3 - 1, i / 3 - 1,
                                  (float)(p->alpha * effect[i] + (i == 4 ? 1 - p->alpha : 0)) };
    if (p->alpha > 0)
        action_raster(out, raster, c);
    return true;
}

const struct op edge_detect_op = {
    .name = "edge_detect",
    .summary = "show edges, by a kernel of 3x3 pixels; borders are mirrored",
    .group = GROUP_BLUR,
    .origin = ORIGIN_OWN,
    .example = "{\"type\": \"edge_detect\", \"alpha\": 0.5}",
    .params = rows,
    .params_size = sizeof(struct params),
    .family = FAMILY_RASTER,
    .effect = EFFECT_RECOLOURS,
    .resolve = resolve,
};
