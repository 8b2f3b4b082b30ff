/* GaussianNoise: add normal noise. */
#include "../transform.h"

struct params {
    double mean, sigma;
    bool clip;
};

static const struct row rows[] = {
    NUMBER(struct params, mean, .preset = "0", .limit = { -1, 1 }, .usual = { -0.1, 0.1 },
           .help = "of the noise; 1 is the full range"),
    NUMBER(struct params, sigma, .preset = "0.1", .limit = { 0, 10 }, .usual = { 0, 0.3 },
           .help = "its standard deviation; 1 is the full range"),
    FLAG(struct params, clip, .preset = "true",
         .help = "false: what leaves the range comes back at its other end"),
    ROWS_END,
};

static void draw(struct run *run)
{
    emit_shared(run, "gaussian_noise", NUM("key", draw_key(run)));
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
