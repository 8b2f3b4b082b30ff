/* plasma_brightness_contrast: brightness and contrast that vary across the image, by a plasma
 * fractal. */
#include "steps/op.h"
#include "steps/op_shared/actions.h"
#include "steps/op_shared/rows.h"
#include "pixels/float_layers.h"

struct params {
    double brightness, contrast, roughness;
    int64_t key;
};

static const struct row rows[] = {
    NUMBER(struct params, brightness, .preset = "0", .limit = { -1, 1 }, .usual = { -0.3, 0.3 },
           .help = "added where the fractal is 1; 1 is white"),
    NUMBER(struct params, contrast, .preset = "0", .limit = { -1, 1 }, .usual = { -0.3, 0.3 },
           .help = "then, where the fractal is 1, distances from the image's mean over all "
                   "colours are multiplied by 1 + contrast"),
    ROUGHNESS_ROW(struct params),
    KEY_ROW(struct params),
    ROWS_END,
};

struct cloud {
    const struct plane *layer;
    float brightness, contrast, mean; /* on the 0..255 scale, except contrast */
};

static float brightened(float v, float added)
{
    v += added;
    v = v > 0 ? v : 0;
    return v < 255 ? v : 255;
}

static void change(const void *context, int x, int y, float *restrict r, float *restrict g,
                   float *restrict b, int n)
{
    const struct cloud *c = context;
    const float *share = layer_row(c->layer, y) + x;
    float *colour[3] = { r, g, b };

    for (int k = 0; k < 3; k++)
        for (int i = 0; i < n; i++) {
            float v = brightened(colour[k][i], c->brightness * share[i]);

            colour[k][i] = v + (v - c->mean) * (c->contrast * share[i]);
        }
}

/* Sums up the colors after the change of brightness, without writing any. */
struct brightness_sum {
    const struct cloud *cloud;
    double *sum;
    int colours;
};

static void sum_up(const void *context, int x, int y, float *restrict r, float *restrict g,
                   float *restrict b, int n)
{
    const struct brightness_sum *s = context;
    const float *share = layer_row(s->cloud->layer, y) + x;
    float *colour[3] = { r, g, b };

    for (int k = 0; k < s->colours; k++)
        for (int i = 0; i < n; i++)
            *s->sum += (double)brightened(colour[k][i], s->cloud->brightness * share[i]);
}

static void raster(const void *context, const struct plane *in, struct plane *out,
                   struct pool *pool)
{
    const struct params *p = context;
    struct plane layer = layer_take(pool, (struct frame){ in->width, in->height });
    struct cloud cloud = { &layer, (float)(255 * p->brightness), (float)p->contrast, 0 };
    double sum = 0, n = (double)in->width * in->height * plane_colours(in);

    layer_plasma(&layer, 1 / sqrt(p->roughness), (uint32_t)p->key);
    if (p->contrast != 0) {
        plane_colour_at(in, out, sum_up,
                        &(struct brightness_sum){ &cloud, &sum, plane_colours(in) });
        cloud.mean = (float)(sum / n);
    }
    plane_colour_at(in, out, change, &cloud);
    pool_return(pool, &layer);
}

static bool resolve(const void *params, const struct scene *scene, struct action *out)
{
    const struct params *p = params;

    (void)scene;
    if (p->brightness != 0 || p->contrast != 0)
        action_raster(out, raster, p);
    return true;
}

const struct op plasma_brightness_contrast_op = {
    .name = "plasma_brightness_contrast",
    .summary = "vary brightness and contrast across the image, by a plasma fractal",
    .group = GROUP_COLOUR,
    .origin = ORIGIN_OWN,
    .example = "{\"type\": \"plasma_brightness_contrast\", \"brightness\": 0.4, \"contrast\": 0.3, "
               "\"roughness\": 0.4, \"key\": 7}",
    .params = rows,
    .params_size = sizeof(struct params),
    .family = FAMILY_RASTER,
    .effect = EFFECT_RECOLOURS,
    .resolve = resolve,
};
