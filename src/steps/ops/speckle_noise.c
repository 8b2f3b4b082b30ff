/* speckle_noise: normal noise proportional to the value. */
#include "steps/op.h"
#include "steps/op_shared/actions.h"
#include "steps/op_shared/rows.h"

#include "pixels/noise.h"

struct params {
    double sigma;
    int64_t key;
};

static const struct row rows[] = {
    NUMBER(struct params, sigma, .preset = "0.2", .limit = { 0, 10 }, .usual = { 0, 0.6 },
           .help = "standard deviation of the factor for each sample, whose mean is 1"),
    KEY_ROW(struct params),
    ROWS_END,
};

static void multiply(const void *context, int x, int y, float *restrict r, float *restrict g,
                     float *restrict b, int n)
{
    const struct params *p = context;
    float sigma = (float)p->sigma, normal[4][PLACE_PIECE], *colour[3] = { r, g, b };
    struct noise noise;

    noise_words((uint32_t)p->key, 0, x, y, n, &noise);
    noise_normals(noise.word[0], noise.word[1], n, normal[0], normal[1]);
    noise_normals(noise.word[2], noise.word[3], n, normal[2], normal[3]);
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < n; i++)
            colour[k][i] += colour[k][i] * sigma * normal[k][i];
}

static bool resolve(const void *params, const struct scene *scene, struct action *out)
{
    const struct params *p = params;

    if (p->sigma > 0)
        action_colours_at(scene, out, multiply, p);
    return true;
}

const struct op speckle_noise_op = {
    .name = "speckle_noise",
    .summary = "add normal noise proportional to the value",
    .group = GROUP_NOISE,
    .origin = ORIGIN_OWN,
    .example = "{\"type\": \"speckle_noise\", \"sigma\": 0.35, \"key\": 7}",
    .params = rows,
    .params_size = sizeof(struct params),
    .family = FAMILY_RASTER,
    .effect = EFFECT_RECOLOURS,
    .resolve = resolve,
};
