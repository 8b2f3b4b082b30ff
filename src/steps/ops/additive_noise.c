/* additive_noise: adds noise of several distributions, per pixel or to the whole image. */
#include "steps/op.h"
#include "steps/op_shared/actions.h"
#include "steps/op_shared/checks.h"
#include "steps/op_shared/rows.h"
#include "pixels/noise.h"

struct params {
    int noise_type, spatial_mode;
    struct tuples ranges;
    double mean, std, scale, alpha, beta;
    int64_t key;
};

static const struct row rows[] = {
    CHOICE(struct params, noise_type, .preset = "\"uniform\"", .choices = noise_choices,
           .help = "the distribution; 1 is the full range"),
    CHOICE(struct params, spatial_mode, .preset = "\"constant\"", .choices = spatial_choices,
           .help = "which samples share a noise value"),
    NOISE_RANGES_ROW(struct params, .preset = "[[-0.1, 0.1]]"),
    NUMBER(struct params, mean, .preset = "0", .limit = { -1, 1 }, .usual = { -0.1, 0.1 },
           .help = "gaussian, laplace: the mean"),
    NUMBER(struct params, std, .preset = "0.1", .limit = { 0, 1 }, .usual = { 0, 0.2 },
           .help = "gaussian: the standard deviation"),
    NUMBER(struct params, scale, .preset = "0.1", .limit = { 0, 1 }, .usual = { 0, 0.3 },
           .help = "laplace: the mean distance from `mean`; beta: the maximum distance from 0"),
    NUMBER(struct params, alpha, .preset = "1", .limit = { 0.01, 1000 }, .usual = { 0.3, 3 },
           .help = "beta: the first shape parameter"),
    NUMBER(struct params, beta, .preset = "1", .limit = { 0.01, 1000 }, .usual = { 0.3, 3 },
           .help = "beta: the second shape parameter"),
    KEY_ROW(struct params),
    ROWS_END,
};

static bool check(const void *params, const struct value *step, struct faults *faults)
{
    return noise_ranges_check(&((const struct params *)params)->ranges, step, faults);
}

/* Draws from the gamma distribution of this shape (Marsaglia and Tsang, A simple method for
 * generating gamma variables, 2000). Attempt k uses the stream `stream` + 6 k, so no two attempts
 * share one. */
static double gamma_at(const struct params *p, uint32_t stream, int x, int y, double shape)
{
    double d = (shape < 1 ? shape + 1 : shape) - 1. / 3, c = 1 / sqrt(9 * d);

    for (;; stream += 6) {
        struct noise noise;
        float z, other, u[2];
        double v;

        noise_words((uint32_t)p->key, stream, x, y, 1, &noise);
        noise_normals(noise.word[0], noise.word[1], 1, &z, &other);
        noise_units(noise.word[2], 1, &u[0]);
        noise_units(noise.word[3], 1, &u[1]);
        v = 1 + c * (double)z;
        v = v * v * v;
        if (v <= 0 || number_log(1 - (double)u[0]) >=
                          (double)z * (double)z / 2 + d - d * v + d * number_log(v))
            continue;
        return d * v * (shape < 1 ? number_power(1 - (double)u[1], 1 / shape) : 1);
    }
}

static float beta_at(const struct params *p, uint32_t channel, int x, int y)
{
    double a = gamma_at(p, 2 * channel, x, y, p->alpha);
    double b = gamma_at(p, 2 * channel + 1, x, y, p->beta);

    return (float)(p->scale * (a + b > 0 ? (a - b) / (a + b) : 0));
}

/* Maps a random word to the Laplace distribution; takes the middle of the word's interval. */
static float laplace_of(const struct params *p, uint32_t word)
{
    double u = ((word >> 8) + 0.5) * 0x1p-24;
    double v = u < 0.5 ? number_log(2 * u) : -number_log(2 - 2 * u);

    return (float)(p->mean + p->scale * v);
}

/* Makes noise of a channel at n places, where 1 is the full range. */
static void make(const struct params *p, int channel, int x, int y, float *to, int n)
{
    const double *range = p->ranges.at;
    float first[PLACE_PIECE], second[PLACE_PIECE];
    struct noise noise;

    if (p->spatial_mode == SPATIAL_CONSTANT && p->ranges.n > 1)
        range += (ptrdiff_t)2 * channel;
    noise_words((uint32_t)p->key, 0, x, y, n, &noise);
    switch ((enum noise_type)p->noise_type) {
    case NOISE_UNIFORM:
        noise_units(noise.word[channel], n, to);
        for (int i = 0; i < n; i++)
            to[i] = (float)range[0] + (float)(range[1] - range[0]) * to[i];
        break;
    case NOISE_GAUSSIAN:
        noise_normals(noise.word[channel & 2], noise.word[(channel & 2) + 1], n, first, second);
        for (int i = 0; i < n; i++)
            to[i] = (float)p->mean + (float)p->std * (channel == 1 ? second : first)[i];
        break;
    case NOISE_LAPLACE:
        for (int i = 0; i < n; i++)
            to[i] = laplace_of(p, noise.word[channel][i]);
        break;
    case NOISE_BETA:
        for (int i = 0; i < n; i++)
            to[i] = beta_at(p, (uint32_t)channel, x + i, y);
    }
}

static void add_noise(const void *context, int x, int y, float *restrict r, float *restrict g,
                      float *restrict b, int n)
{
    const struct params *p = context;
    float *colour[3] = { r, g, b }, noise[PLACE_PIECE];

    for (int k = 0; k < 3; k++) {
        if (k == 0 || p->spatial_mode == SPATIAL_PER_PIXEL)
            make(p, k, x, y, noise, n);
        for (int i = 0; i < n; i++)
            colour[k][i] += 255 * noise[i];
    }
}

struct constant {
    float added[3]; /* on the 0..255 scale */
};

static void add_constant(const void *context, int x, int y, float *restrict r, float *restrict g,
                         float *restrict b, int n)
{
    const struct constant *c = context;
    float *colour[3] = { r, g, b };

    (void)x;
    (void)y;
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < n; i++)
            colour[k][i] += c->added[k];
}

static bool resolve(const void *params, const struct scene *scene, struct action *out)
{
    const struct params *p = params;

    if (p->spatial_mode == SPATIAL_CONSTANT) {
        struct constant *c = ARENA_NEW(scene->arena, struct constant);

        for (int k = 0; k < 3; k++) {
            make(p, k, 0, 0, &c->added[k], 1);
            c->added[k] *= 255;
        }
        if (c->added[0] != 0 || c->added[1] != 0 || c->added[2] != 0)
            action_colours_at(scene, out, add_constant, c);
    } else {
        action_colours_at(scene, out, add_noise, p);
    }
    return true;
}

const struct op additive_noise_op = {
    .name = "additive_noise",
    .summary = "add uniform, normal, Laplace or beta noise, per pixel or to all pixels",
    .group = GROUP_NOISE,
    .origin = ORIGIN_OWN,
    .example = "{\"type\": \"additive_noise\", \"noise_type\": \"laplace\", \"spatial_mode\": "
               "\"per_pixel\", \"scale\": 0.1, \"key\": 7}",
    .params = rows,
    .params_size = sizeof(struct params),
    .family = FAMILY_RASTER,
    .effect = EFFECT_RECOLOURS,
    .check = check,
    .resolve = resolve,
};
