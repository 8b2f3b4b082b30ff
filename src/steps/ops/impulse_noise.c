/* impulse_noise: sets some samples to the maximum or 0, each color of a pixel independently. */
#include "steps/op.h"
#include "steps/op_shared/actions.h"
#include "steps/op_shared/rows.h"

#include "pixels/noise.h"

struct params {
    double amount, salt_vs_pepper;
    int64_t key;
};

static const struct row rows[] = {
    NUMBER(struct params, amount, .preset = "0.05", .limit = { 0, 1 }, .usual = { 0, 0.3 },
           .help = "share of the samples that change"),
    NUMBER(struct params, salt_vs_pepper, .preset = "0.5", .limit = { 0, 1 },
           .help = "share of these that become the maximum; the others become 0"),
    KEY_ROW(struct params),
    ROWS_END,
};

static void strew(const void *context, int x, int y, float *restrict r, float *restrict g,
                  float *restrict b, int n)
{
    const struct params *p = context;
    float salt = (float)(p->amount * p->salt_vs_pepper), all = (float)p->amount, u[PLACE_PIECE];
    float *colour[3] = { r, g, b };
    struct noise noise;

    noise_words((uint32_t)p->key, 0, x, y, n, &noise);
    for (int k = 0; k < 3; k++) {
        noise_units(noise.word[k], n, u);
        for (int i = 0; i < n; i++)
            colour[k][i] = u[i] < salt ? 255 : u[i] < all ? 0 : colour[k][i];
    }
}

static bool resolve(const void *params, const struct scene *scene, struct action *out)
{
    const struct params *p = params;

    if (p->amount > 0)
        action_colours_at(scene, out, strew, p);
    return true;
}

const struct op impulse_noise_op = {
    .name = "impulse_noise",
    .summary = "set some samples to the maximum and some to 0, each colour independently",
    .group = GROUP_NOISE,
    .origin = ORIGIN_OWN,
    .example = "{\"type\": \"impulse_noise\", \"amount\": 0.09, \"key\": 7}",
    .params = rows,
    .params_size = sizeof(struct params),
    .family = FAMILY_RASTER,
    .effect = EFFECT_RECOLOURS,
    .resolve = resolve,
};
