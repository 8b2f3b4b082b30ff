/* GaussianNoise: adds normal noise. */
#include "steps/transform.h"

struct params {
    struct range mean, sigma;
    bool clip, per_channel;
};

static const struct row rows[] = {
    RANGE(struct params, mean, .preset = "0", .limit = { -1, 1 }, .usual = { -0.1, 0.1 },
          .help = "mean of the noise, or its range; 1 is the full range"),
    RANGE(struct params, sigma, .preset = "0.1", .limit = { 0, 10 }, .usual = { 0, 0.3 },
          .help = "standard deviation of the noise, or its range; 1 is the full range"),
    FLAG(struct params, clip, .preset = "true",
         .help = "clamp to the range; false: values wrap around to its other end"),
    FLAG(struct params, per_channel, .preset = "true",
         .help = "different noise in each channel; false: the same in all channels (gray noise)"),
    ROWS_END,
};

static void draw(struct run *run)
{
    const struct params *p = run->params;
    int64_t key = draw_key(run);
    double mean = rng_between(run->rng, p->mean.lo, p->mean.hi);

    emit_shared(run, "gaussian_noise", NUM("key", key), NUM("mean", mean),
                NUM("sigma", rng_between(run->rng, p->sigma.lo, p->sigma.hi)));
}

const struct transform GaussianNoise_transform = {
    .name = "GaussianNoise",
    .summary = "add normal noise",
    .group = GROUP_NOISE,
    .origin = ORIGIN_TORCHVISION,
    .example = "{\"type\": \"GaussianNoise\", \"sigma\": 0.1}",
    .emits = (const char *const[]){ "gaussian_noise", NULL },
    .params = rows,
    .params_size = sizeof(struct params),
    .draw = draw,
};
