/* plasma_fog: clouds of a plasma fractal over the image. */
#include "steps/op.h"
#include "steps/op_shared/actions.h"
#include "steps/op_shared/rows.h"
#include "pixels/float_layers.h"
#include "pixels/samples.h"

struct params {
    double strength, decay;
    int64_t key;
};

static const struct row rows[] = {
    NUMBER(struct params, strength, .limit = { 0, 100 }, .usual = { 0.5, 3 },
           .help = "light that the thickest cloud adds, where 1 is white; afterwards the image "
                   "is darkened so that its largest value under that cloud is unchanged"),
    NUMBER(struct params, decay, .preset = "2", .limit = { 1, 10 }, .usual = { 1.4, 2 },
           .help = "smoothness of the clouds: each octave is decay^2 times fainter than the "
                   "previous one"),
    KEY_ROW(struct params),
    ROWS_END,
};

struct clouds {
    float strength, left; /* on the 0..255 scale; `left` is the factor for the whole image */
    const struct plane *layer;
};

static void cover(const void *context, int x, int y, float *restrict r, float *restrict g,
                  float *restrict b, int n)
{
    const struct clouds *c = context;
    const float *cloud = layer_row(c->layer, y) + x;
    float *colour[3] = { r, g, b };

    for (int k = 0; k < 3; k++)
        for (int i = 0; i < n; i++)
            colour[k][i] = (colour[k][i] + c->strength * cloud[i]) * c->left;
}

/* Returns the largest value of all colors, on the 0..255 scale. */
static double largest(const struct plane *in)
{
    int colours = plane_colours(in), max = 0;

    for (int y = 0; y < in->height; y++)
        for (int x = 0; x < in->width; x++)
            for (int c = 0; c < colours; c++) {
                int level = sample_level(plane_row(in, y), in->type,
                                         (size_t)x * (size_t)in->channels + (size_t)c);

                max = level > max ? level : max;
            }
    return max / pixel_type_unit(in->type);
}

static void raster(const void *context, const struct plane *in, struct plane *out,
                   struct pool *pool)
{
    const struct params *p = context;
    struct plane layer = layer_take(pool, (struct frame){ in->width, in->height });
    double max = largest(in), strength = 255 * p->strength;

    layer_plasma(&layer, p->decay, (uint32_t)p->key);
    plane_colour_at(in, out, cover,
                    &(struct clouds){ (float)strength, (float)(max / (max + strength)), &layer });
    pool_return(pool, &layer);
}

static bool resolve(const void *params, const struct scene *scene, struct action *out)
{
    const struct params *p = params;

    (void)scene;
    if (p->strength > 0)
        action_raster(out, raster, p);
    return true;
}

const struct op plasma_fog_op = {
    .name = "plasma_fog",
    .summary = "drifting fog, from a plasma fractal",
    .group = GROUP_WEATHER,
    .origin = ORIGIN_OWN,
    .example = "{\"type\": \"plasma_fog\", \"strength\": 2.5, \"decay\": 1.7, \"key\": 7}",
    .params = rows,
    .params_size = sizeof(struct params),
    .family = FAMILY_RASTER,
    .effect = EFFECT_RECOLOURS,
    .resolve = resolve,
};
