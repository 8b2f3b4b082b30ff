/* plasma_shadow: shadows of a plasma fractal. */
#include "steps/op.h"
#include "steps/op_shared/actions.h"
#include "steps/op_shared/rows.h"
#include "pixels/float_layers.h"

struct params {
    double intensity, roughness;
    int64_t key;
};

static const struct row rows[] = {
    NUMBER(struct params, intensity, .limit = { 0, 1 }, .usual = { 0.3, 0.7 },
           .help = "share of the light that the deepest shadow removes"),
    ROUGHNESS_ROW(struct params),
    KEY_ROW(struct params),
    ROWS_END,
};

struct shade {
    const struct plane *layer;
    float intensity;
};

static void darken(const void *context, int x, int y, float *restrict r, float *restrict g,
                   float *restrict b, int n)
{
    const struct shade *s = context;
    const float *shadow = layer_row(s->layer, y) + x;
    float *colour[3] = { r, g, b };

    for (int k = 0; k < 3; k++)
        for (int i = 0; i < n; i++)
            colour[k][i] *= 1 - s->intensity * shadow[i];
}

static void raster(const void *context, const struct plane *in, struct plane *out,
                   struct pool *pool)
{
    const struct params *p = context;
    struct plane layer = layer_take(pool, (struct frame){ in->width, in->height });

    layer_plasma(&layer, 1 / sqrt(p->roughness), (uint32_t)p->key);
    plane_colour_at(in, out, darken, &(struct shade){ &layer, (float)p->intensity });
    pool_return(pool, &layer);
}

static bool resolve(const void *params, const struct scene *scene, struct action *out)
{
    const struct params *p = params;

    (void)scene;
    if (p->intensity > 0)
        action_raster(out, raster, p);
    return true;
}

const struct op plasma_shadow_op = {
    .name = "plasma_shadow",
    .summary = "darken by a plasma fractal",
    .group = GROUP_WEATHER,
    .origin = ORIGIN_OWN,
    .example = "{\"type\": \"plasma_shadow\", \"intensity\": 0.6, \"roughness\": 0.4, \"key\": 7}",
    .params = rows,
    .params_size = sizeof(struct params),
    .family = FAMILY_RASTER,
    .effect = EFFECT_RECOLOURS,
    .resolve = resolve,
};
