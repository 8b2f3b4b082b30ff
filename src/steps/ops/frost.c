/* frost: crystals of ice on the lens. */
#include "steps/op.h"
#include "steps/op_shared/actions.h"
#include "steps/op_shared/rows.h"
#include "pixels/float_layers.h"

struct params {
    double image_share, frost_share;
    struct colour color;
    int64_t key;
};

static const struct row rows[] = {
    NUMBER(struct params, image_share, .preset = "0.8", .limit = { 0, 1 }, .usual = { 0.6, 1 },
           .help = "factor for the image"),
    NUMBER(struct params, frost_share, .preset = "0.6", .limit = { 0, 1 }, .usual = { 0.4, 0.75 },
           .help = "factor for the frost before it is added"),
    COLOUR(struct params, color, .preset = "[222, 236, 250]",
           .help = "colour of the thickest frost: a number, or one per channel"),
    KEY_ROW(struct params),
    ROWS_END,
};

struct context {
    float image, frost[3];
    uint32_t key;
    const struct plane *veins, *sheet;
};

/* Veins of ice follow lines of equal height of a plasma fractal, BANDS of them; another fractal is
 * the thickness of the ice around them. */
static const float BANDS = 5;

static void grow(const void *context, int x, int y, float *restrict r, float *restrict g,
                 float *restrict b, int n)
{
    const struct context *c = context;
    const float *vein = layer_row(c->veins, y) + x, *sheet = layer_row(c->sheet, y) + x;
    float *colour[3] = { r, g, b };

    for (int i = 0; i < n; i++) {
        float height = vein[i] * BANDS, line = fabsf(2 * (height - floorf(height)) - 1);
        float ice = 0.2f + 0.4f * sheet[i] + 0.4f * line * line * line;

        for (int k = 0; k < 3; k++)
            colour[k][i] = c->image * colour[k][i] + c->frost[k] * ice;
    }
}

static void raster(const void *context, const struct plane *in, struct plane *out,
                   struct pool *pool)
{
    struct context c = *(const struct context *)context;
    struct frame frame = { in->width, in->height };
    struct plane veins = layer_take(pool, frame), sheet = layer_take(pool, frame);

    layer_plasma(&veins, 1.6, c.key);
    layer_plasma(&sheet, 1.7, ~c.key);
    c.veins = &veins;
    c.sheet = &sheet;
    plane_colour_at(in, out, grow, &c);
    pool_return(pool, &veins);
    pool_return(pool, &sheet);
}

static bool resolve(const void *params, const struct scene *scene, struct action *out)
{
    const struct params *p = params;
    struct context *c = ARENA_NEW(scene->arena, struct context);

    c->image = (float)p->image_share;
    c->key = (uint32_t)p->key;
    scene_colour(scene, &p->color, c->frost);
    for (int k = 0; k < 3; k++)
        c->frost[k] *= (float)p->frost_share;
    if (p->image_share != 1 || p->frost_share != 0)
        action_raster(out, raster, c);
    return true;
}

const struct op frost_op = {
    .name = "frost",
    .summary = "frost on the lens, made of fractals",
    .group = GROUP_WEATHER,
    .origin = ORIGIN_OWN,
    .example = "{\"type\": \"frost\", \"image_share\": 0.7, \"frost_share\": 0.7, \"key\": 7}",
    .params = rows,
    .params_size = sizeof(struct params),
    .family = FAMILY_RASTER,
    .effect = EFFECT_RECOLOURS,
    .resolve = resolve,
};
