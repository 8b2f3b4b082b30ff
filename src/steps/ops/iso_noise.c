/* iso_noise: sensor noise at high sensitivity, in lightness and hue. */
#include "steps/op.h"
#include "steps/op_shared/actions.h"
#include "steps/op_shared/rows.h"
#include "pixels/hue.h"
#include "pixels/noise.h"

struct params {
    double color_shift, intensity;
    int64_t key;
};

static const struct row rows[] = {
    NUMBER(struct params, color_shift, .preset = "0.05", .limit = { 0, 1 }, .usual = { 0, 0.1 },
           .help = "standard deviation of the hue at an intensity of 1, in turns"),
    NUMBER(struct params, intensity, .preset = "0.5", .limit = { 0, 2 }, .usual = { 0, 1 },
           .help = "strength of both; the noise of the lightness (0 to 1, of HLS) has a "
                   "standard deviation of a tenth of this in dark pixels, which falls to 0 in "
                   "white"),
    KEY_ROW(struct params),
    ROWS_END,
};

struct context {
    float hue, light;
    uint32_t key;
};

/* Returns the fractional part of some turns; without floorf(), which not every processor has for
 * vectors. */
static float within_turn(float turns)
{
    float whole = (float)(int)turns;

    return turns - (whole > turns ? whole - 1 : whole);
}

/* Adds noise to lightness and hue; keeps HLS saturation. */
static void add_noise(const void *context, int x, int y, float *restrict r, float *restrict g,
                      float *restrict b, int n)
{
    const struct context *c = context;
    float light[PLACE_PIECE], turn[PLACE_PIECE];
    struct noise noise;

    noise_words(c->key, 0, x, y, n, &noise);
    noise_normals(noise.word[0], noise.word[1], n, light, turn);
    for (int i = 0; i < n; i++) {
        float mx = hue_larger(r[i], hue_larger(g[i], b[i]));
        float mn = hue_smaller(r[i], hue_smaller(g[i], b[i])), span = mx - mn;
        float turns = within_turn(turn[i] * c->hue);
        float h = hue_wrap(hue_of(r[i], g[i], b[i], mx, span) + 6 * turns);
        float l = (mx + mn) / 510, room = 1 - fabsf(2 * l - 1), to, part;

        to = hue_share(l + light[i] * c->light * (1 - l));
        part = room > 0 ? span / room * (1 - fabsf(2 * to - 1)) : 0;
        mn = 255 * to - part / 2;
        r[i] = mn + part * hue_red(h);
        g[i] = mn + part * hue_green(h);
        b[i] = mn + part * hue_blue(h);
    }
}

static bool resolve(const void *params, const struct scene *scene, struct action *out)
{
    const struct params *p = params;
    struct context *c = ARENA_NEW(scene->arena, struct context);

    *c = (struct context){ .hue = (float)(p->color_shift * p->intensity),
                           .light = (float)(p->intensity / 10),
                           .key = (uint32_t)p->key };
    if (p->intensity > 0)
        action_colours_at(scene, out, add_noise, c);
    return true;
}

const struct op iso_noise_op = {
    .name = "iso_noise",
    .summary = "add sensor noise at high sensitivity, in lightness and hue",
    .group = GROUP_NOISE,
    .origin = ORIGIN_OWN,
    .example = "{\"type\": \"iso_noise\", \"color_shift\": 0.05, \"intensity\": 0.5, \"key\": 7}",
    .params = rows,
    .params_size = sizeof(struct params),
    .family = FAMILY_RASTER,
    .effect = EFFECT_RECOLOURS,
    .resolve = resolve,
};
