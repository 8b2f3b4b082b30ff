/* snow_texture: a grainy layer of snow, thicker at the top, and pixels that glitter.
 *
 * Formula: Albumentations' RandomSnow with method "texture" (add_snow_texture of 1.4 and 2.0). It
 * uses HSV as OpenCV does for bytes: hue in 0..180, saturation and value in 0..255.
 *
 *   t = noise of mean 0.5 and deviation 0.3, smoothed twice by a Gaussian of deviation 1;
 *   layer = 255 * snow_point * t * w; w falls linearly from 1 in the first row to 0.2 in the last;
 *   hue        = 0.85 (hue + layer) + 0.15 * 0.6 snow_point;
 *   saturation = 0.85 (saturation + layer) + 0.15 * 0.75 snow_point;
 *   value      = 0.85 (min(255, value (1 + brightness_coeff * snow_point)) + layer) +
 *                0.15 * snow_point.
 *
 * One pixel of a hundred becomes white. */
#include "steps/op.h"
#include "steps/op_shared/actions.h"
#include "steps/op_shared/rows.h"
#include "pixels/hue.h"
#include "pixels/float_layers.h"
#include "pixels/noise.h"

enum { TAPS = 9 }; /* of the Gaussian, as in OpenCV for a deviation of 1 */

struct params {
    double snow_point, brightness_coeff;
    int64_t key;
};

static const struct row rows[] = {
    NUMBER(struct params, snow_point, .limit = { 0, 1 },
           .help = "amount of snow: the layer adds about 127 snow_point to hue (of 0..180), "
                   "saturation and value in the first row, and a fifth of it in the last"),
    NUMBER(struct params, brightness_coeff, .preset = "2.5", .limit = { 0, 100 }, .usual = { 1, 4 },
           .help = "before that, the value of HSV is multiplied by 1 + brightness_coeff * "
                   "snow_point, up to 255"),
    KEY_ROW(struct params),
    ROWS_END,
};

struct context {
    const float *kernel;
    float snow_point, brighter;
    uint32_t key;
    bool gray;
};

struct snow {
    const struct context *context;
    const struct plane *texture;
};

/* Adds the layer to hue, saturation and value of a pixel, which are scaled by 0.85. */
static void cover_pixel(float layer, float tint, float brighter, float *r, float *g, float *b)
{
    float mx = hue_larger(*r, hue_larger(*g, *b));
    float mn = hue_smaller(*r, hue_smaller(*g, *b)), span = mx - mn;
    float hue = 30 * hue_wrap(hue_of(*r, *g, *b, mx, span));
    float saturation = mx > 0 ? 255 * span / mx : 0;

    hue = (0.85f * (hue + layer) + 0.6f * tint) / 30;
    hue -= 6 * floorf(hue / 6);
    saturation = hue_share((0.85f * (saturation + layer) + 0.75f * tint) / 255);
    mx = 255 * hue_share((0.85f * (hue_smaller(255, mx * brighter) + layer) + tint) / 255);
    span = mx * saturation;
    *r = mx - span + span * hue_red(hue);
    *g = mx - span + span * hue_green(hue);
    *b = mx - span + span * hue_blue(hue);
}

static void cover_row(const void *context, int x, int y, float *restrict r, float *restrict g,
                      float *restrict b, int n)
{
    const struct snow *snow = context;
    const struct context *c = snow->context;
    const float *texture = layer_row(snow->texture, y) + x;
    int last = snow->texture->height - 1;
    float depth = last ? 1 - 0.8f * (float)y / (float)last : 1, tint = 0.15f * c->snow_point;
    float glitter[PLACE_PIECE];
    struct noise noise;

    noise_words(c->key, 0, x, y, n, &noise);
    noise_units(noise.word[2], n, glitter);
    for (int i = 0; i < n; i++) {
        float layer = 255 * c->snow_point * depth * texture[i];

        if (glitter[i] > 0.99f)
            r[i] = g[i] = b[i] = 255;
        else if (c->gray)
            r[i] = 0.85f * (hue_smaller(255, r[i] * c->brighter) + layer) + tint;
        else
            cover_pixel(layer, tint, c->brighter, &r[i], &g[i], &b[i]);
    }
}

static void raster(const void *context, const struct plane *in, struct plane *out,
                   struct pool *pool)
{
    const struct context *c = context;
    struct frame frame = { in->width, in->height };
    struct plane texture = layer_take(pool, frame), smooth = layer_take(pool, frame);

    layer_normals(&texture, c->key, 0.5, 0.3);
    plane_convolve(&texture, &smooth, c->kernel, TAPS, c->kernel, TAPS);
    plane_convolve(&smooth, &texture, c->kernel, TAPS, c->kernel, TAPS);
    plane_colour_at(in, out, cover_row, &(struct snow){ c, &texture });
    pool_return(pool, &smooth);
    pool_return(pool, &texture);
}

static bool resolve(const void *params, const struct scene *scene, struct action *out)
{
    const struct params *p = params;
    struct context *c = ARENA_NEW(scene->arena, struct context);

    *c = (struct context){
        .kernel = gaussian_kernel(scene->arena, TAPS, 1),
        .snow_point = (float)p->snow_point,
        .brighter = (float)(1 + p->brightness_coeff * p->snow_point),
        .key = (uint32_t)p->key,
        .gray = scene->channels < 3,
    };
    action_raster(out, raster, c);
    return true;
}

const struct op snow_texture_op = {
    .name = "snow_texture",
    .summary = "a grainy layer of snow, thicker at the top, and pixels that glitter",
    .group = GROUP_WEATHER,
    .origin = ORIGIN_OWN,
    .example = "{\"type\": \"snow_texture\", \"snow_point\": 0.3, \"brightness_coeff\": 2.5, "
               "\"key\": 7}",
    .params = rows,
    .params_size = sizeof(struct params),
    .family = FAMILY_RASTER,
    .effect = EFFECT_RECOLOURS,
    .resolve = resolve,
};
