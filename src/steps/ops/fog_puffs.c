/* fog_puffs: blurred puffs of fog, more of them near the middle of the image.
 *
 * Formula: Albumentations' RandomFog (its parameters' draws, and add_fog, of 2.0 and the last 1.4).
 * Let s = max(1, floor(floor(width / 3) * fog_coef)). The region is the image at first. While both
 * its sides are longer than s, ten times at max, add floor(10 * fog_coef * area / s^2) discs. Their
 * centers are in the region, each pixel with equal probability. Then each side becomes floor(0.9 *
 * side).
 *
 * Radii are integers from max(1, floor(m / 2)) to m - 1 with m = max(2, floor(0.1 * fog_coef *
 * shorter side)). Let L, 0..1, be the discs' union, blurred by 25 x 25 taps of a Gaussian of
 * deviation 4.1. With a = alpha_coef * fog_coef * L, a pixel v becomes (1 - a) v + a * L * color.
 */
#include "steps/op.h"
#include "steps/op_shared/actions.h"
#include "steps/op_shared/rows.h"
#include "pixels/float_layers.h"
#include "pixels/noise.h"

enum { TAPS = 25, REGIONS = 10 };

struct params {
    double fog_coef, alpha_coef;
    struct colour fog_color;
    int64_t key;
};

static const struct row rows[] = {
    NUMBER(struct params, fog_coef, .limit = { 0, 1 }, .usual = { 0.3, 1 },
           .help = "density of the fog: with higher values, puffs are larger, fewer and less "
                   "transparent"),
    NUMBER(struct params, alpha_coef, .preset = "0.08", .limit = { 0, 1 }, .usual = { 0.05, 0.9 },
           .help = "opacity of puffs at a `fog_coef` of 1; overlapping puffs are not denser"),
    COLOUR(struct params, fog_color, .preset = "255", .help = "a number, or one per channel"),
    KEY_ROW(struct params),
    ROWS_END,
};

struct context {
    const float *kernel;
    double fog_coef;
    uint32_t key;
    float alpha, color[3];
};

struct haze {
    const struct context *context;
    const struct plane *layer;
};

static void lay_puff(struct plane *layer, int x, int y, int radius)
{
    for (int v = y - radius > 0 ? y - radius : 0; v <= y + radius && v < layer->height; v++)
        for (int w = x - radius > 0 ? x - radius : 0; w <= x + radius && w < layer->width; w++)
            if ((w - x) * (w - x) + (v - y) * (v - y) <= radius * (radius + 1))
                layer_row(layer, v)[w] = 1;
}

/* Returns a number from 0 to n - 1. */
static int pick(uint32_t word, int n)
{
    return (int)((uint64_t)word * (uint64_t)n >> 32);
}

/* Draws the puffs of a region of this size about the middle; puff i uses the random words at (i,
 * region). */
static void lay_region(struct plane *layer, const struct context *c, struct frame region, int which,
                       int puffs)
{
    int shorter = layer->width < layer->height ? layer->width : layer->height;
    int max = (int)(shorter * 0.1 * c->fog_coef), min;
    int left = (layer->width - 1) / 2 - region.width / 2;
    int top = (layer->height - 1) / 2 - region.height / 2;

    max = max > 2 ? max : 2;
    min = max / 2;
    for (int i = 0; i < puffs; i += PLACE_PIECE) {
        int n = puffs - i < PLACE_PIECE ? puffs - i : PLACE_PIECE;
        struct noise noise;

        noise_words(c->key, 0, i, which, n, &noise);
        for (int k = 0; k < n; k++)
            lay_puff(layer, left + pick(noise.word[0][k], region.width / 2 * 2 + 1),
                     top + pick(noise.word[1][k], region.height / 2 * 2 + 1),
                     min + pick(noise.word[2][k], max - min));
    }
}

static void lay_puffs(struct plane *layer, const struct context *c)
{
    struct frame region = { layer->width, layer->height };
    int side = (int)(layer->width / 3 * c->fog_coef);

    side = side > 1 ? side : 1;
    for (int i = 0; i < REGIONS && region.width > side && region.height > side; i++) {
        double area = (double)region.width * region.height, per = (double)side * side;

        lay_region(layer, c, region, i, (int)(area / per * c->fog_coef * 10));
        region.width = (int)(region.width * 0.9);
        region.height = (int)(region.height * 0.9);
    }
}

static void mix_in(const void *context, int x, int y, float *restrict r, float *restrict g,
                   float *restrict b, int n)
{
    const struct haze *haze = context;
    const float *thick = layer_row(haze->layer, y) + x, *color = haze->context->color;
    float *colour[3] = { r, g, b }, alpha = haze->context->alpha;

    for (int k = 0; k < 3; k++)
        for (int i = 0; i < n; i++)
            colour[k][i] += (color[k] * thick[i] - colour[k][i]) * (alpha * thick[i]);
}

static void raster(const void *context, const struct plane *in, struct plane *out,
                   struct pool *pool)
{
    const struct context *c = context;
    struct frame frame = { in->width, in->height };
    struct plane puffs = layer_take(pool, frame), layer = layer_take(pool, frame);

    for (int y = 0; y < frame.height; y++)
        for (int x = 0; x < frame.width; x++)
            layer_row(&puffs, y)[x] = 0;
    lay_puffs(&puffs, c);
    plane_convolve(&puffs, &layer, c->kernel, TAPS, c->kernel, TAPS);
    plane_colour_at(in, out, mix_in, &(struct haze){ c, &layer });
    pool_return(pool, &layer);
    pool_return(pool, &puffs);
}

static bool resolve(const void *params, const struct scene *scene, struct action *out)
{
    const struct params *p = params;
    struct context *c = ARENA_NEW(scene->arena, struct context);

    *c = (struct context){
        .kernel = gaussian_kernel(scene->arena, TAPS, 4.1),
        .fog_coef = p->fog_coef,
        .key = (uint32_t)p->key,
        .alpha = (float)(p->alpha_coef * p->fog_coef),
    };
    scene_colour(scene, &p->fog_color, c->color);
    if (c->alpha > 0)
        action_raster(out, raster, c);
    return true;
}

const struct op fog_puffs_op = {
    .name = "fog_puffs",
    .summary = "puffs of fog, more of them near the middle",
    .group = GROUP_WEATHER,
    .origin = ORIGIN_OWN,
    .example = "{\"type\": \"fog_puffs\", \"fog_coef\": 0.8, \"alpha_coef\": 0.6, \"key\": 7}",
    .params = rows,
    .params_size = sizeof(struct params),
    .family = FAMILY_RASTER,
    .effect = EFFECT_RECOLOURS,
    .resolve = resolve,
};
