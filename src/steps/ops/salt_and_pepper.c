/* salt_and_pepper: makes some pixels white or black. */
#include "steps/op.h"
#include "steps/op_shared/actions.h"
#include "steps/op_shared/rows.h"
#include "pixels/noise.h"
#include "pixels/samples.h"

struct params {
    double amount, salt_vs_pepper;
    int64_t key;
};

static const struct row rows[] = {
    NUMBER(struct params, amount, .preset = "0.05", .limit = { 0, 1 }, .usual = { 0, 0.3 },
           .help = "share of the pixels that change"),
    NUMBER(struct params, salt_vs_pepper, .preset = "0.5", .limit = { 0, 1 },
           .help = "share of these that become white; the others become black"),
    KEY_ROW(struct params),
    ROWS_END,
};

/* Draws grains where u, uniform in [0, 1), is below `all`. */
VARIANTS static void lay_grains(float salt, float all, const float *restrict u, float *restrict r,
                                float *restrict g, float *restrict b, int n)
{
    for (int i = 0; i < n; i++) {
        float grain = u[i] < salt ? 255 : 0;

        r[i] = u[i] < all ? grain : r[i];
        g[i] = u[i] < all ? grain : g[i];
        b[i] = u[i] < all ? grain : b[i];
    }
}

static void strew(const void *context, int x, int y, float *restrict r, float *restrict g,
                  float *restrict b, int n)
{
    const struct params *p = context;
    float u[PLACE_PIECE];
    uint32_t word[PLACE_PIECE];

    noise_first_words((uint32_t)p->key, 0, x, y, n, word);
    noise_units(word, n, u);
    lay_grains((float)(p->amount * p->salt_vs_pepper), (float)p->amount, u, r, g, b, n);
}

static bool resolve(const void *params, const struct scene *scene, struct action *out)
{
    const struct params *p = params;

    if (p->amount > 0)
        action_colours_at(scene, out, strew, p);
    return true;
}

const struct op salt_and_pepper_op = {
    .name = "salt_and_pepper",
    .summary = "make some pixels white and some black",
    .group = GROUP_NOISE,
    .origin = ORIGIN_OWN,
    .example =
        "{\"type\": \"salt_and_pepper\", \"amount\": 0.05, \"salt_vs_pepper\": 0.4, \"key\": 7}",
    .params = rows,
    .params_size = sizeof(struct params),
    .family = FAMILY_RASTER,
    .effect = EFFECT_RECOLOURS,
    .resolve = resolve,
};
