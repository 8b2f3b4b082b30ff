/* LogContrast: maps levels along a random logarithm. */
#include "steps/transform.h"

struct params {
    struct range gain;
};

static const struct row rows[] = {
    RANGE(struct params, gain, .preset = "[0.4, 1.6]", .limit = { 0, 100 }, .usual = { 0.4, 1.6 },
          .help = "range of the factor for the logarithm"),
    ROWS_END,
};

static void draw(struct run *run)
{
    const struct params *p = run->params;
    double gain = rng_between(run->rng, p->gain.lo, p->gain.hi);

    emit(run, "log_contrast", NUM("gain", gain));
}

const struct transform LogContrast_transform = {
    .name = "LogContrast",
    .summary = "brighten dark levels along a logarithm, by a random factor",
    .group = GROUP_COLOUR,
    .origin = ORIGIN_OWN,
    .differs = "it follows imgaug; all channels have one curve, and there is no `inv`",
    .example = "{\"type\": \"LogContrast\", \"gain\": [0.8, 1.2]}",
    .emits = (const char *const[]){ "log_contrast", NULL },
    .params = rows,
    .params_size = sizeof(struct params),
    .draw = draw,
};
