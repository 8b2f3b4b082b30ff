/* poisson_noise: each sample is a count of photons, proportional to its value. */
#include "steps/op.h"
#include "steps/op_shared/actions.h"
#include "steps/op_shared/rows.h"

#include "pixels/noise.h"

struct params {
    double photons;
    int64_t key;
};

static const struct row rows[] = {
    NUMBER(struct params, photons, .limit = { 0.01, 100000 }, .usual = { 3, 60 },
           .help = "mean number of photons of white; the mean and variance of a value's count "
                   "are proportional to the value, without gamma (see shot_noise)"),
    KEY_ROW(struct params),
    ROWS_END,
};

static void count(const void *context, int x, int y, float *restrict r, float *restrict g,
                  float *restrict b, int n)
{
    const struct params *p = context;
    float *colour[3] = { r, g, b }, u[PLACE_PIECE], z[PLACE_PIECE], other[PLACE_PIECE];
    float photons = (float)p->photons;
    struct noise noise;

    for (uint32_t k = 0; k < 3; k++) {
        noise_words((uint32_t)p->key, k, x, y, n, &noise);
        noise_units(noise.word[0], n, u);
        noise_normals(noise.word[1], noise.word[2], n, z, other);
        for (int i = 0; i < n; i++) {
            float lambda = colour[k][i] / 255 * photons;

            colour[k][i] =
                noise_poisson(lambda, number_exp(-(double)lambda), u[i], z[i]) / photons * 255;
        }
    }
}

static bool resolve(const void *params, const struct scene *scene, struct action *out)
{
    action_colours_at(scene, out, count, params);
    return true;
}

const struct op poisson_noise_op = {
    .name = "poisson_noise",
    .summary = "photon noise, with a variance proportional to the value",
    .group = GROUP_NOISE,
    .origin = ORIGIN_OWN,
    .example = "{\"type\": \"poisson_noise\", \"photons\": 12, \"key\": 7}",
    .params = rows,
    .params_size = sizeof(struct params),
    .family = FAMILY_RASTER,
    .effect = EFFECT_RECOLOURS,
    .resolve = resolve,
};
