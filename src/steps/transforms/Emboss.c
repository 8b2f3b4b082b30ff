/* Emboss: blends in a relief, with a random share. */
#include "steps/transform.h"

struct params {
    struct range alpha, strength;
};

static const struct row rows[] = {
    RANGE(struct params, alpha, .preset = "[0.2, 0.5]", .limit = { 0, 1 }, .usual = { 0.1, 0.6 },
          .help = "range of the share of the relief"),
    RANGE(struct params, strength, .preset = "[0.2, 0.7]", .limit = { 0, 100 }, .usual = { 0.1, 1 },
          .help = "range of the strength of the relief"),
    ROWS_END,
};

static void draw(struct run *run)
{
    const struct params *p = run->params;
    double alpha = rng_between(run->rng, p->alpha.lo, p->alpha.hi);
    double strength = rng_between(run->rng, p->strength.lo, p->strength.hi);

    emit(run, "emboss", NUM("alpha", alpha), NUM("strength", strength));
}

const struct transform Emboss_transform = {
    .name = "Emboss",
    .summary = "raise edges like a relief, with random strength",
    .group = GROUP_BLUR,
    .origin = ORIGIN_ALBUMENTATIONS,
    .example = "{\"type\": \"Emboss\", \"alpha\": [0.4, 0.8]}",
    .emits = (const char *const[]){ "emboss", NULL },
    .params = rows,
    .params_size = sizeof(struct params),
    .chance = 0.5,
    .draw = draw,
};
