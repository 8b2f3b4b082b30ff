/* multiply_noise: multiplies each pixel by a random number. */
#include "steps/op.h"
#include "steps/op_shared/actions.h"
#include "steps/op_shared/rows.h"
#include "pixels/noise.h"

struct params {
    struct range multiplier;
    bool per_channel;
    int64_t key;
};

static const struct row rows[] = {
    RANGE(struct params, multiplier, .preset = "[0.9, 1.1]", .limit = { 0, 100 },
          .usual = { 0.5, 1.5 }, .help = "range of the factors, uniform"),
    FLAG(struct params, per_channel, .preset = "false",
         .help = "a separate factor for each colour of a pixel"),
    KEY_ROW(struct params),
    ROWS_END,
};

static void multiply(const void *context, int x, int y, float *restrict r, float *restrict g,
                     float *restrict b, int n)
{
    const struct params *p = context;
    float lo = (float)p->multiplier.lo, span = (float)(p->multiplier.hi - p->multiplier.lo);
    float *colour[3] = { r, g, b }, u[PLACE_PIECE];
    struct noise noise;

    noise_words((uint32_t)p->key, 0, x, y, n, &noise);
    for (int k = 0; k < 3; k++) {
        noise_units(noise.word[p->per_channel ? k : 0], n, u);
        for (int i = 0; i < n; i++)
            colour[k][i] *= lo + span * u[i];
    }
}

static bool resolve(const void *params, const struct scene *scene, struct action *out)
{
    const struct params *p = params;

    if (p->multiplier.lo != 1 || p->multiplier.hi != 1)
        action_colours_at(scene, out, multiply, p);
    return true;
}

const struct op multiply_noise_op = {
    .name = "multiply_noise",
    .summary = "multiply each pixel by a random factor",
    .group = GROUP_NOISE,
    .origin = ORIGIN_OWN,
    .example = "{\"type\": \"multiply_noise\", \"multiplier\": [0.6, 1.4], \"per_channel\": true, "
               "\"key\": 7}",
    .params = rows,
    .params_size = sizeof(struct params),
    .family = FAMILY_RASTER,
    .effect = EFFECT_RECOLOURS,
    .resolve = resolve,
};
