/* ShotNoise: photon noise, which grows with the square root of the light. */
#include "steps/transform.h"

struct params {
    struct range scale_range;
};

static const struct row rows[] = {
    RANGE(struct params, scale_range, .preset = "[0.1, 0.3]", .limit = { 0.00001, 10 },
          .usual = { 0.01, 0.3 }, .help = "range of the light of one photon; 1 is white"),
    ROWS_END,
};

static void draw(struct run *run)
{
    const struct params *p = run->params;
    double scale = rng_between(run->rng, p->scale_range.lo, p->scale_range.hi);

    emit(run, "shot_noise", NUM("scale", scale), NUM("key", draw_key(run)));
}

const struct transform ShotNoise_transform = {
    .name = "ShotNoise",
    .summary = "photon noise, which grows with the square root of the light",
    .group = GROUP_NOISE,
    .origin = ORIGIN_ALBUMENTATIONS,
    .example = "{\"type\": \"ShotNoise\", \"p\": 1}",
    .emits = (const char *const[]){ "shot_noise", NULL },
    .params = rows,
    .params_size = sizeof(struct params),
    .chance = 0.5,
    .draw = draw,
};
