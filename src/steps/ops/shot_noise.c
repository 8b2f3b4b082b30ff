/* shot_noise: the noise of few photons. */
#include "steps/op.h"
#include "steps/op_shared/actions.h"
#include "steps/op_shared/rows.h"

#include "pixels/noise.h"

struct params {
    double scale;
    int64_t key;
};

static const struct row rows[] = {
    NUMBER(struct params, scale, .limit = { 0.00001, 10 }, .usual = { 0.01, 0.3 },
           .help = "light of one photon; 1 is white. Light is counted in linear values, before "
                   "a gamma of 2.2: its variance is `scale` times its mean"),
    KEY_ROW(struct params),
    ROWS_END,
};

/* Gamma in both directions, for 16-bit values. */

struct context {
    float lambda[256]; /* expected photons for each 8-bit level */
    double none[256];  /* the probability of no photon */
    float *level;      /* level for each number of photons, up to `full`, which is white */
    int full;
    float scale;
    uint32_t key;
};

static double no_photon(float lambda)
{
    return number_power(2.718281828459045, -(double)lambda);
}

static float light(float v)
{
    return (float)number_power(v / 255, 2.2);
}

/* Returns the new value of a pixel of value v. 8-bit values are integers and use the tables. */
static float expose(const struct context *c, float v, float u, float z)
{
    int level = (int)v;
    bool known = v == (float)level;
    float lambda = known ? c->lambda[level] : light(v) / c->scale;
    double none = known ? c->none[level] : no_photon(lambda);
    float count = noise_poisson(lambda, none, u, z);

    return c->level[count < (float)c->full ? (int)count : c->full];
}

static void count_photons(const void *context, int x, int y, float *restrict r, float *restrict g,
                          float *restrict b, int n)
{
    const struct context *c = context;
    float *colour[3] = { r, g, b }, u[PLACE_PIECE], z[PLACE_PIECE], other[PLACE_PIECE];
    struct noise noise;

    for (uint32_t k = 0; k < 3; k++) {
        noise_words(c->key, k, x, y, n, &noise);
        noise_units(noise.word[0], n, u);
        noise_normals(noise.word[1], noise.word[2], n, z, other);
        for (int i = 0; i < n; i++)
            colour[k][i] = expose(c, colour[k][i], u[i], z[i]);
    }
}

static bool resolve(const void *params, const struct scene *scene, struct action *out)
{
    const struct params *p = params;
    struct context *c = ARENA_NEW(scene->arena, struct context);

    c->scale = (float)p->scale;
    c->key = (uint32_t)p->key;
    for (int i = 0; i < 256; i++) {
        c->lambda[i] = light((float)i) / c->scale;
        c->none[i] = no_photon(c->lambda[i]);
    }
    c->full = (int)ceil(1 / p->scale);
    c->level = ARENA_ARRAY(scene->arena, float, (size_t)c->full + 1);
    for (int k = 0; k <= c->full; k++)
        c->level[k] = 255 * (float)number_power(fmin(1, k * p->scale), 1 / 2.2);
    action_colours_at(scene, out, count_photons, c);
    return true;
}

const struct op shot_noise_op = {
    .name = "shot_noise",
    .summary = "photon noise, which grows with the square root of the light",
    .group = GROUP_NOISE,
    .origin = ORIGIN_OWN,
    .example = "{\"type\": \"shot_noise\", \"scale\": 0.1, \"key\": 7}",
    .params = rows,
    .params_size = sizeof(struct params),
    .family = FAMILY_RASTER,
    .effect = EFFECT_RECOLOURS,
    .resolve = resolve,
};
