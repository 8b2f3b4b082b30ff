/* AdditiveNoise: noise of several distributions, of random strength. */
#include "steps/transform.h"

struct params {
    int noise_type, spatial_mode;
    struct tuples ranges;
    struct range mean_range;
    struct optional_range std_range, scale_range;
    struct range alpha_range, beta_range;
};

static const struct row rows[] = {
    CHOICE(struct params, noise_type, .preset = "\"uniform\"", .choices = noise_choices,
           .help = "the distribution; 1 is the full range"),
    CHOICE(struct params, spatial_mode, .preset = "\"constant\"", .choices = spatial_choices,
           .help = "which samples share a noise value"),
    NOISE_RANGES_ROW(struct params, .preset = "[[-0.1, 0.1]]"),
    RANGE(struct params, mean_range, .preset = "[0, 0]", .limit = { -1, 1 }, .usual = { -0.1, 0.1 },
          .help = "gaussian, laplace: range of the mean"),
    OPTIONAL_RANGE(struct params, std_range, .preset = "null", .limit = { 0, 1 },
                   .usual = { 0, 0.2 },
                   .help = "gaussian: range of the standard deviation; null: [0.05, 0.15]"),
    OPTIONAL_RANGE(struct params, scale_range, .preset = "null", .limit = { 0, 1 },
                   .usual = { 0, 0.3 },
                   .help = "laplace: range of the mean distance from the mean; null: [0.05, "
                           "0.15]; beta: range of the maximum distance from 0; null: [0.1, 0.3]"),
    RANGE(struct params, alpha_range, .preset = "[0.5, 1.5]", .limit = { 0.01, 1000 },
          .usual = { 0.3, 3 }, .help = "beta: range of the first shape parameter"),
    RANGE(struct params, beta_range, .preset = "[0.5, 1.5]", .limit = { 0.01, 1000 },
          .usual = { 0.3, 3 }, .help = "beta: range of the second shape parameter"),
    ROWS_END,
};

static bool check(const void *params, const struct value *step, struct faults *faults)
{
    return noise_ranges_check(&((const struct params *)params)->ranges, step, faults);
}

static double drawn(struct run *run, struct range range)
{
    return rng_between(run->rng, range.lo, range.hi);
}

static struct range given_or(const struct optional_range *range, double lo, double hi)
{
    return range->given ? range->range : (struct range){ lo, hi };
}

static void draw(struct run *run)
{
    const struct params *p = run->params;
    bool beta = p->noise_type == NOISE_BETA;
    double mean = drawn(run, p->mean_range);
    double std = drawn(run, given_or(&p->std_range, 0.05, 0.15));
    double scale = drawn(run, given_or(&p->scale_range, beta ? 0.1 : 0.05, beta ? 0.3 : 0.15));
    double first = drawn(run, p->alpha_range), second = drawn(run, p->beta_range);

    emit_shared(run, "additive_noise", NUM("mean", mean), NUM("std", std), NUM("scale", scale),
                NUM("alpha", first), NUM("beta", second), NUM("key", draw_key(run)));
}

const struct transform AdditiveNoise_transform = {
    .name = "AdditiveNoise",
    .summary = "add uniform, normal, Laplace or beta noise of random strength",
    .group = GROUP_NOISE,
    .origin = ORIGIN_ALBUMENTATIONS,
    .differs = "the values of Albumentations' `noise_params` are separate parameters; noise is "
               "never computed at a smaller size (`approximation`)",
    .example = "{\"type\": \"AdditiveNoise\", \"noise_type\": \"beta\", \"spatial_mode\": "
               "\"per_pixel\"}",
    .emits = (const char *const[]){ "additive_noise", NULL },
    .params = rows,
    .params_size = sizeof(struct params),
    .chance = 0.5,
    .check = check,
    .draw = draw,
};
