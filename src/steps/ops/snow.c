/* snow: brightens pixels that are not yet light. */
#include "steps/op.h"
#include "steps/op_shared/actions.h"

struct params {
    double snow_point, brightness_coeff;
};

static const struct row rows[] = {
    NUMBER(struct params, snow_point, .limit = { 0, 1 },
           .help = "pixels darker than 85 + 127.5 snow_point change; their lightness is the "
                   "mean of the largest and the smallest colour, on the scale 0..255"),
    NUMBER(struct params, brightness_coeff, .preset = "2.5", .limit = { 0, 100 }, .usual = { 1, 4 },
           .help = "factor for that lightness, up to white; hue and saturation (of HLS) are kept"),
    ROWS_END,
};

struct context {
    float point, coefficient;
};

/* In HLS, with L the lightness on the scale 0..1: for a constant hue and saturation, a color's
 * distance from L is proportional to 1 - |2 L - 1|. */
static void bleach(const void *context, int x, int y, float *restrict r, float *restrict g,
                   float *restrict b, int n)
{
    const struct context *c = context;

    (void)x;
    (void)y;
    for (int i = 0; i < n; i++) {
        float high = fmaxf(r[i], fmaxf(g[i], b[i])), low = fminf(r[i], fminf(g[i], b[i]));
        float light = (high + low) / 2, lighter, was, is, scale;

        if (light >= c->point)
            continue;
        lighter = fminf(255, light * c->coefficient);
        was = 255 - fabsf(2 * light - 255);
        is = 255 - fabsf(2 * lighter - 255);
        scale = was > 0 ? is / was : 0;
        r[i] = lighter + (r[i] - light) * scale;
        g[i] = lighter + (g[i] - light) * scale;
        b[i] = lighter + (b[i] - light) * scale;
    }
}

static bool resolve(const void *params, const struct scene *scene, struct action *out)
{
    const struct params *p = params;
    struct context *c = ARENA_NEW(scene->arena, struct context);

    c->point = (float)(85 + 127.5 * p->snow_point);
    c->coefficient = (float)p->brightness_coeff;
    if (p->brightness_coeff != 1)
        action_colours_at(scene, out, bleach, c);
    return true;
}

const struct op snow_op = {
    .name = "snow",
    .summary = "bleach dark pixels, as under snow",
    .group = GROUP_WEATHER,
    .origin = ORIGIN_OWN,
    .example = "{\"type\": \"snow\", \"snow_point\": 0.3, \"brightness_coeff\": 2.5}",
    .params = rows,
    .params_size = sizeof(struct params),
    .family = FAMILY_RASTER,
    .effect = EFFECT_RECOLOURS,
    .resolve = resolve,
};
