/* SigmoidContrast: raises contrast along a random sigmoid. */
#include "steps/transform.h"

struct params {
    struct range gain, cutoff;
};

static const struct row rows[] = {
    RANGE(struct params, gain, .preset = "[5, 6]", .limit = { 0, 100 }, .usual = { 3, 10 },
          .help = "range of the maximum slope of the curve"),
    RANGE(struct params, cutoff, .preset = "[0.3, 0.6]", .limit = { 0, 1 }, .usual = { 0.3, 0.6 },
          .help = "range of the value that becomes half of the full range, which is 1"),
    ROWS_END,
};

static void draw(struct run *run)
{
    const struct params *p = run->params;
    double gain = rng_between(run->rng, p->gain.lo, p->gain.hi);
    double cutoff = rng_between(run->rng, p->cutoff.lo, p->cutoff.hi);

    emit(run, "sigmoid_contrast", NUM("gain", gain), NUM("cutoff", cutoff));
}

const struct transform SigmoidContrast_transform = {
    .name = "SigmoidContrast",
    .summary = "raise contrast along a random sigmoid",
    .group = GROUP_COLOUR,
    .origin = ORIGIN_OWN,
    .differs = "it follows imgaug; all channels have one curve",
    .example = "{\"type\": \"SigmoidContrast\", \"gain\": [4, 9]}",
    .emits = (const char *const[]){ "sigmoid_contrast", NULL },
    .params = rows,
    .params_size = sizeof(struct params),
    .draw = draw,
};
