/* adjust_sharpness: moves colors towards a small blur, or away from it. */
#include "steps/op.h"
#include "steps/op_shared/actions.h"
#include "pixels/filters.h"

struct params {
    double sharpness_factor;
};

static const struct row rows[] = {
    NUMBER(struct params, sharpness_factor, .limit = { 0, INFINITY }, .usual = { 0.2, 3 },
           .help = "0 is a blur over 3x3 pixels, 1 changes nothing, 2 doubles distances from "
                   "the blur; border pixels are unchanged"),
    ROWS_END,
};

static void raster(const void *context, const struct plane *in, struct plane *out,
                   struct pool *pool)
{
    (void)pool;
    plane_sharpness(in, out, *(const float *)context);
}

static bool resolve(const void *params, const struct scene *scene, struct action *out)
{
    const struct params *p = params;
    float *factor = ARENA_ARRAY(scene->arena, float, 1);

    *factor = (float)p->sharpness_factor;
    if (*factor != 1)
        action_raster(out, raster, factor);
    return true;
}

const struct op adjust_sharpness_op = {
    .name = "adjust_sharpness",
    .summary = "blend with a blurred copy, or away from it",
    .group = GROUP_BLUR,
    .origin = ORIGIN_TORCHVISION,
    .example = "{\"type\": \"adjust_sharpness\", \"sharpness_factor\": 2}",
    .params = rows,
    .params_size = sizeof(struct params),
    .family = FAMILY_RASTER,
    .effect = EFFECT_RECOLOURS,
    .resolve = resolve,
};
