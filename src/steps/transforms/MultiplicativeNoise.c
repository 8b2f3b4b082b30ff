/* MultiplicativeNoise: multiplies the image, its channels or its pixels by random numbers. */
#include "steps/transform.h"

struct params {
    struct range multiplier;
    bool per_channel, elementwise;
};

static const struct row rows[] = {
    RANGE(struct params, multiplier, .preset = "[0.9, 1.1]", .limit = { 0, 100 },
          .usual = { 0.5, 1.5 }, .help = "range of the factors"),
    FLAG(struct params, per_channel, .preset = "false",
         .help = "separate factors for each channel"),
    FLAG(struct params, elementwise, .preset = "false", .help = "a separate factor for each pixel"),
    ROWS_END,
};

static void draw(struct run *run)
{
    const struct params *p = run->params;
    double factor[3];
    size_t n = p->per_channel && run->channels >= 3 ? 3 : 1;

    if (p->elementwise) {
        emit_shared(run, "multiply_noise", NUM("key", draw_key(run)));
        return;
    }
    for (size_t i = 0; i < n; i++)
        factor[i] = rng_between(run->rng, p->multiplier.lo, p->multiplier.hi);
    emit(run, "scale_bands", NUMS("factor", n, factor));
}

const struct transform MultiplicativeNoise_transform = {
    .name = "MultiplicativeNoise",
    .summary = "multiply the image, its channels or its pixels by random numbers",
    .group = GROUP_NOISE,
    .origin = ORIGIN_ALBUMENTATIONS,
    .example = "{\"type\": \"MultiplicativeNoise\", \"multiplier\": [0.6, 1.4], \"elementwise\": "
               "true, \"p\": 1}",
    .emits = (const char *const[]){ "multiply_noise", "scale_bands", NULL },
    .params = rows,
    .params_size = sizeof(struct params),
    .chance = 0.5,
    .draw = draw,
};
