/* snowfall: falling flakes, and a whitened image. */
#include "steps/op.h"
#include "steps/op_shared/actions.h"
#include "steps/op_shared/rows.h"
#include "pixels/float_layers.h"

struct params {
    double mean, std, zoom, threshold, sigma, angle, whitening;
    int radius;
    int64_t key;
};

static const struct row rows[] = {
    NUMBER(struct params, mean, .limit = { -10, 10 }, .usual = { 0.1, 0.55 },
           .help = "mean of the normal noise for the flakes; 1 is white"),
    NUMBER(struct params, std, .preset = "0.3", .limit = { 0, 10 }, .usual = { 0.1, 0.4 },
           .help = "standard deviation of the noise"),
    NUMBER(struct params, zoom, .preset = "1", .limit = { 1, 100 }, .usual = { 1, 4.5 },
           .help = "factor by which the noise is enlarged"),
    NUMBER(struct params, threshold, .limit = { -10, 10 }, .usual = { 0.5, 0.9 },
           .help = "noise below this is not a flake"),
    INTEGER(struct params, radius, .preset = "10", .unit = "pixels", .limit = { 0, 127 },
            .usual = { 4, 12 },
            .help = "half of the length of a flake's streak, as in motion_streak"),
    NUMBER(struct params, sigma, .preset = "4", .unit = "pixels", .limit = { 0.1, 1000 },
           .usual = { 4, 12 }, .help = "standard deviation by which the streak fades"),
    NUMBER(struct params, angle, .preset = "-90", .unit = "degrees", .limit = { -360, 360 },
           .usual = { -135, -45 }, .help = "direction from which flakes come: -90 is from above"),
    NUMBER(struct params, whitening, .preset = "0.3", .limit = { 0, 1 },
           .help = "share of a whitened image, whose values are at least 1.5 times the luma "
                   "plus half of white"),
    KEY_ROW(struct params),
    ROWS_END,
};

struct context {
    const struct params *params;
    struct tap *tap;
    int n;
};

struct flakes {
    float whitening;
    const struct plane *layer;
};

/* Adds the flakes, and the flakes rotated by a half turn, which doubles their number. */
static void whiten(const void *context, int x, int y, float *restrict r, float *restrict g,
                   float *restrict b, int n)
{
    const struct flakes *f = context;
    const float *flake = layer_row(f->layer, y) + x;
    const float *turned = layer_row(f->layer, f->layer->height - 1 - y) + f->layer->width - 1 - x;
    float *colour[3] = { r, g, b };

    for (int i = 0; i < n; i++) {
        float light = (0.299f * r[i] + 0.587f * g[i] + 0.114f * b[i]) * 1.5f + 127.5f;

        for (int k = 0; k < 3; k++) {
            float v = colour[k][i];

            colour[k][i] = (1 - f->whitening) * v + f->whitening * (v > light ? v : light) +
                           255 * (flake[i] + turned[-i]);
        }
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
    layer_zoom(&noise, &layer, p->zoom);
    for (int y = 0; y < frame.height; y++) {
        float *v = layer_row(&layer, y);

        for (int x = 0; x < frame.width; x++)
            v[x] = v[x] < (float)p->threshold || v[x] < 0 ? 0 : fminf(v[x], 1);
    }
    plane_convolve_taps(&layer, &noise, c->tap, c->n, pool);
    plane_colour_at(in, out, whiten, &(struct flakes){ (float)p->whitening, &noise });
    pool_return(pool, &noise);
    pool_return(pool, &layer);
}

static bool resolve(const void *params, const struct scene *scene, struct action *out)
{
    struct context *c = ARENA_NEW(scene->arena, struct context);

    c->params = params;
    c->tap =
        streak_taps(scene->arena, c->params->radius, c->params->sigma, c->params->angle, &c->n);
    action_raster(out, raster, c);
    return true;
}

const struct op snowfall_op = {
    .name = "snowfall",
    .summary = "falling flakes of snow, and a whiter image",
    .group = GROUP_WEATHER,
    .origin = ORIGIN_OWN,
    .example =
        "{\"type\": \"snowfall\", \"mean\": 0.55, \"zoom\": 4, \"threshold\": 0.9, \"radius\": "
        "12, \"sigma\": 8, \"angle\": -70, \"key\": 7}",
    .params = rows,
    .params_size = sizeof(struct params),
    .family = FAMILY_RASTER,
    .effect = EFFECT_RECOLOURS,
    .resolve = resolve,
};
