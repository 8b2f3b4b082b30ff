/* gravel: draws small squares, each of one lightness, in a few patches. */
#include "steps/op.h"
#include "steps/op_shared/actions.h"
#include "steps/op_shared/rows.h"
#include "pixels/hue.h"
#include "pixels/float_layers.h"
#include "pixels/noise.h"

struct params {
    struct rects patches;
    int64_t key;
};

static const struct row rows[] = {
    RECTS(struct params, patches, .preset = "[]", .unit = "pixels", .limit = { -65500, 65500 },
          .usual = { 0, 40 },
          .help = "[top, left, height, width] of each patch; it has one stone per 100 pixels "
                  "of its area, whose middle is in the patch"),
    KEY_ROW(struct params),
    ROWS_END,
};

/* Draws squares of 2 to 6 pixels a side; later squares cover earlier ones. */
static void lay_patch(struct plane *layer, const struct rect *patch, uint32_t key, uint32_t which)
{
    for (int i = 0; i < (int)((int64_t)patch->w * patch->h / 100); i++) {
        struct noise noise;
        float u[4];
        int x, y, r;

        noise_words(key, which, i, 0, 1, &noise);
        for (int k = 0; k < 4; k++)
            noise_units(noise.word[k], 1, &u[k]);
        x = patch->x + (int)(u[0] * (float)(patch->w + 1));
        y = patch->y + (int)(u[1] * (float)(patch->h + 1));
        r = 1 + (int)(u[2] * 3);
        for (int v = y - r > 0 ? y - r : 0; v < y + r && v < layer->height; v++)
            for (int w = x - r > 0 ? x - r : 0; w < x + r && w < layer->width; w++)
                layer_row(layer, v)[w] = floorf(u[3] * 256) / 255;
    }
}

/* Sets the lightness where there is a stone; keeps hue and HLS saturation. */
static void lighten(const void *context, int x, int y, float *restrict r, float *restrict g,
                    float *restrict b, int n)
{
    const float *to = layer_row(context, y) + x;

    for (int i = 0; i < n; i++) {
        float mx = hue_larger(r[i], hue_larger(g[i], b[i]));
        float mn = hue_smaller(r[i], hue_smaller(g[i], b[i])), span = mx - mn;
        float h = hue_wrap(hue_of(r[i], g[i], b[i], mx, span));
        float room = 1 - fabsf((mx + mn) / 255 - 1), part;

        if (to[i] < 0)
            continue;
        part = room > 0 ? span / room * (1 - fabsf(2 * to[i] - 1)) : 0;
        mn = 255 * to[i] - part / 2;
        r[i] = mn + part * hue_red(h);
        g[i] = mn + part * hue_green(h);
        b[i] = mn + part * hue_blue(h);
    }
}

static void raster(const void *context, const struct plane *in, struct plane *out,
                   struct pool *pool)
{
    const struct params *p = context;
    struct plane layer = layer_take(pool, (struct frame){ in->width, in->height });

    for (int y = 0; y < layer.height; y++)
        for (int x = 0; x < layer.width; x++)
            layer_row(&layer, y)[x] = -1;
    for (size_t i = 0; i < p->patches.n; i++)
        lay_patch(&layer, &p->patches.at[i], (uint32_t)p->key, (uint32_t)i);
    plane_colour_at(in, out, lighten, &layer);
    pool_return(pool, &layer);
}

static bool resolve(const void *params, const struct scene *scene, struct action *out)
{
    const struct params *p = params;

    (void)scene;
    if (p->patches.n)
        action_raster(out, raster, p);
    return true;
}

const struct op gravel_op = {
    .name = "gravel",
    .summary = "scatter small squares, each of one lightness, in a few patches",
    .group = GROUP_WEATHER,
    .origin = ORIGIN_OWN,
    .example = "{\"type\": \"gravel\", \"patches\": [[60, 20, 30, 80], [70, 110, 40, 60]], "
               "\"key\": 7}",
    .params = rows,
    .params_size = sizeof(struct params),
    .family = FAMILY_RASTER,
    .effect = EFFECT_RECOLOURS,
    .resolve = resolve,
};
