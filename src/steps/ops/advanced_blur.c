/* advanced_blur: blurs by a rotated generalized Gaussian with noisy weights. */
#include "steps/op.h"
#include "steps/op_shared/actions.h"
#include "steps/op_shared/rows.h"
#include "pixels/filters.h"
#include "pixels/noise.h"

struct params {
    int kernel_size;
    double sigma_x, sigma_y, angle, beta;
    struct range noise;
    int64_t key;
};

#define MIN_SIGMA 0.01

static const struct row rows[] = {
    INTEGER(struct params, kernel_size, .odd = true, .unit = "pixels", .limit = { 1, 63 },
            .usual = { 3, 9 }, .help = "side of the kernel; odd"),
    NUMBER(struct params, sigma_x, .preset = "1", .unit = "pixels", .limit = { 0, 100 },
           .usual = { 0.2, 3 },
           .help = "standard deviation along the blur's first axis; values below 0.01 become "
                   "0.01"),
    NUMBER(struct params, sigma_y, .preset = "1", .unit = "pixels", .limit = { 0, 100 },
           .usual = { 0.2, 3 }, .help = "the same along the second axis"),
    NUMBER(struct params, angle, .preset = "0", .unit = "degrees", .limit = { -360, 360 },
           .usual = { -90, 90 }, .help = "rotation of the axes, clockwise"),
    NUMBER(struct params, beta, .preset = "1", .limit = { 0, 20 }, .above = true,
           .usual = { 0.5, 8 },
           .help = "the weight is exp(-d^(2 beta) / 2) at a distance of d sigmas: 1 is a "
                   "Gaussian, less has longer tails, more is nearly a box"),
    RANGE(struct params, noise, .preset = "[1, 1]", .limit = { 0, 10 }, .above = true,
          .usual = { 0.9, 1.1 },
          .help = "range of uniform random factors for the weights, which are then normalized "
                  "to a sum of 1"),
    KEY_ROW(struct params),
    ROWS_END,
};

/* Returns the weight of the pixel at (x, y) from the center, before noise. */
static double weight_at(const struct params *p, int x, int y)
{
    double radians = p->angle * M_PI / 180, cosine = cos(radians), sine = sin(radians);
    double u = (x * cosine + y * sine) / fmax(p->sigma_x, MIN_SIGMA);
    double v = (y * cosine - x * sine) / fmax(p->sigma_y, MIN_SIGMA);
    double d2 = u * u + v * v;

    return d2 > 0 ? number_exp(-0.5 * number_power(d2, p->beta)) : 1;
}

static bool resolve(const void *params, const struct scene *scene, struct action *out)
{
    const struct params *p = params;
    int size = p->kernel_size, half = size / 2, n = size * size;
    double *weight = ARENA_ARRAY(scene->arena, double, (size_t)n), sum = 0;
    struct tap *tap = ARENA_ARRAY(scene->arena, struct tap, (size_t)n);
    float u[PLACE_PIECE];
    uint32_t word[PLACE_PIECE];

    for (int y = 0; y < size; y++) {
        noise_first_words((uint32_t)p->key, 0, 0, y, size, word);
        noise_units(word, size, u);
        for (int x = 0; x < size; x++) {
            double *w = &weight[y * size + x];

            *w = weight_at(p, x - half, y - half) *
                 (p->noise.lo + (p->noise.hi - p->noise.lo) * (double)u[x]);
            sum += *w;
        }
    }
    for (int i = 0; i < n; i++)
        tap[i] = (struct tap){ i % size - half, i / size - half, (float)(weight[i] / sum) };
    if (n > 1)
        action_taps(scene, out, tap, n);
    return true;
}

const struct op advanced_blur_op = {
    .name = "advanced_blur",
    .summary = "blur by a rotated generalized Gaussian with noisy weights; borders are mirrored",
    .group = GROUP_BLUR,
    .origin = ORIGIN_OWN,
    .example = "{\"type\": \"advanced_blur\", \"kernel_size\": 9, \"sigma_x\": 3, \"angle\": 30, "
               "\"beta\": 2, \"noise\": [0.7, 1.3], \"key\": 7}",
    .params = rows,
    .params_size = sizeof(struct params),
    .family = FAMILY_RASTER,
    .effect = EFFECT_RECOLOURS,
    .resolve = resolve,
};
