/* GaussNoise: adds normal noise of a random deviation. */
#include "steps/transform.h"

struct params {
    struct range std_range, mean_range;
    struct optional_range var_limit;
    bool per_channel;
};

static const struct row rows[] = {
    RANGE(struct params, std_range, .preset = "[0.2, 0.44]", .limit = { 0, 1 }, .usual = { 0, 0.4 },
          .help = "range of the standard deviation; 1 is the full range"),
    RANGE(struct params, mean_range, .preset = "[0, 0]", .limit = { -1, 1 }, .usual = { -0.1, 0.1 },
          .help = "range of the mean; 1 is the full range"),
    OPTIONAL_RANGE(struct params, var_limit, .preset = "null", .limit = { 0, 65025 },
                   .scalar = SCALAR_FROM_0, .usual = { 0, 400 },
                   .help = "alternative to `std_range`: range of the variance on the scale "
                           "0..255; v means [0, v]"),
    FLAG(struct params, per_channel, .preset = "true",
         .help = "different noise in each channel; false: the same in all channels (gray noise)"),
    ROWS_END,
};

static void draw(struct run *run)
{
    const struct params *p = run->params;
    const struct range *variance = &p->var_limit.range;
    int64_t key = draw_key(run);
    double mean = rng_between(run->rng, p->mean_range.lo, p->mean_range.hi);
    double sigma = p->var_limit.given
                       ? sqrt(rng_between(run->rng, variance->lo, variance->hi)) / 255
                       : rng_between(run->rng, p->std_range.lo, p->std_range.hi);

    emit_shared(run, "gaussian_noise", NUM("mean", mean), NUM("sigma", sigma), NUM("key", key));
}

const struct transform GaussNoise_transform = {
    .name = "GaussNoise",
    .summary = "add normal noise of a random deviation with probability `p`",
    .group = GROUP_NOISE,
    .origin = ORIGIN_ALBUMENTATIONS,
    .example = "{\"type\": \"GaussNoise\", \"std_range\": [0.05, 0.2], \"p\": 1}",
    .emits = (const char *const[]){ "gaussian_noise", NULL },
    .params = rows,
    .params_size = sizeof(struct params),
    .chance = 0.5,
    .draw = draw,
};
