/* spatter: drops of rain or splashes of mud on the lens. */
#include "steps/op.h"
#include "steps/op_shared/actions.h"
#include "steps/op_shared/rows.h"
#include "pixels/float_layers.h"

enum liquid { LIQUID_RAIN, LIQUID_MUD };

struct params {
    double mean, std, gauss_sigma, cutout_threshold, intensity;
    struct colour color;
    int mode;
    int64_t key;
};

static const struct choice modes[] = {
    { "rain", LIQUID_RAIN, "clear drops with an edge, which add light" },
    { "mud", LIQUID_MUD, "splashes that hide the image" },
    { 0 },
};

static const struct row rows[] = {
    NUMBER(struct params, mean, .preset = "0.65", .limit = { -10, 10 }, .usual = { 0.6, 0.7 },
           .help = "mean of the normal noise for the drops"),
    NUMBER(struct params, std, .preset = "0.3", .limit = { 0, 10 }, .usual = { 0.2, 0.4 },
           .help = "standard deviation of the noise"),
    NUMBER(struct params, gauss_sigma, .preset = "2", .unit = "pixels", .limit = { 0.1, 100 },
           .usual = { 1, 4 }, .help = "standard deviation of the Gaussian that smooths the noise"),
    NUMBER(struct params, cutout_threshold, .preset = "0.68", .limit = { -10, 10 },
           .usual = { 0.6, 0.7 }, .help = "drops are where the smoothed noise is above this"),
    NUMBER(struct params, intensity, .preset = "0.6", .limit = { 0.1, 100 }, .usual = { 0.5, 1.5 },
           .help = "rain: strength of the strongest drop, where 1 is the full colour; mud: "
                   "standard deviation, in pixels, of the Gaussian that smooths its edges"),
    CHOICE(struct params, mode, .preset = "\"rain\"", .choices = modes, .help = "the liquid"),
    COLOUR(struct params, color, .preset = "null",
           .help = "a number, or one per channel; null: [175, 238, 238] for rain, [63, 42, 20] "
                   "for mud"),
    KEY_ROW(struct params),
    ROWS_END,
};

struct context {
    const struct params *params;
    const float *smooth, *edge; /* kernels */
    int smooth_n, edge_n;
    float color[3];
};

struct wet {
    const struct context *liquid;
    const struct plane *layer;
};

static void wet(const void *context, int x, int y, float *restrict r, float *restrict g,
                float *restrict b, int n)
{
    const struct wet *w = context;
    const struct params *p = w->liquid->params;
    const float *share = layer_row(w->layer, y) + x;
    float *colour[3] = { r, g, b }, strength = p->mode == LIQUID_RAIN ? (float)p->intensity : 1;

    for (int k = 0; k < 3; k++)
        for (int i = 0; i < n; i++) {
            float left = p->mode == LIQUID_RAIN ? 1 : 1 - share[i];

            colour[k][i] = colour[k][i] * left + w->liquid->color[k] * share[i] * strength;
        }
}

static void raster(const void *context, const struct plane *in, struct plane *out,
                   struct pool *pool)
{
    const struct context *c = context;
    const struct params *p = c->params;
    struct frame frame = { in->width, in->height };
    struct plane noise = layer_take(pool, frame), layer = layer_take(pool, frame);

    layer_normals(&noise, (uint32_t)p->key, p->mean, p->std);
    plane_convolve(&noise, &layer, c->smooth, c->smooth_n, c->smooth, c->smooth_n);
    if (p->mode == LIQUID_RAIN)
        liquid_rain(&layer, p->cutout_threshold);
    else
        liquid_mud(&layer, p->cutout_threshold, c->edge, c->edge_n, pool);
    plane_colour_at(in, out, wet, &(struct wet){ c, &layer });
    pool_return(pool, &noise);
    pool_return(pool, &layer);
}

static bool resolve(const void *params, const struct scene *scene, struct action *out)
{
    const struct params *p = params;
    struct context *c = ARENA_NEW(scene->arena, struct context);
    struct colour usual = { .n = 3, .channel = { 175, 238, 238 } };

    if (p->mode == LIQUID_MUD)
        usual = (struct colour){ .n = 3, .channel = { 63, 42, 20 } };
    c->params = p;
    c->smooth_n = 2 * (int)(4 * p->gauss_sigma + 0.5) + 1;
    c->smooth = gaussian_kernel(scene->arena, c->smooth_n, p->gauss_sigma);
    c->edge_n = 2 * (int)(4 * p->intensity + 0.5) + 1;
    c->edge = gaussian_kernel(scene->arena, c->edge_n, p->intensity);
    scene_colour(scene, p->color.n ? &p->color : &usual, c->color);
    action_raster(out, raster, c);
    return true;
}

const struct op spatter_op = {
    .name = "spatter",
    .summary = "rain or mud on the lens",
    .group = GROUP_WEATHER,
    .origin = ORIGIN_OWN,
    .example = "{\"type\": \"spatter\", \"mode\": \"mud\", \"gauss_sigma\": 3, \"intensity\": 1.5, "
               "\"cutout_threshold\": 0.7, \"key\": 7}",
    .params = rows,
    .params_size = sizeof(struct params),
    .family = FAMILY_RASTER,
    .effect = EFFECT_RECOLOURS,
    .resolve = resolve,
};
