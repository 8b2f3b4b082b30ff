/* SaltAndPepper: makes some pixels white and some black. */
#include "steps/transform.h"

struct params {
    struct range amount, salt_vs_pepper;
};

static const struct row rows[] = {
    RANGE(struct params, amount, .preset = "[0.01, 0.06]", .limit = { 0, 1 }, .usual = { 0, 0.3 },
          .help = "range of the share of pixels that change"),
    RANGE(struct params, salt_vs_pepper, .preset = "[0.4, 0.6]", .limit = { 0, 1 },
          .help = "range of the share of these that become white"),
    ROWS_END,
};

static void draw(struct run *run)
{
    const struct params *p = run->params;
    double amount = rng_between(run->rng, p->amount.lo, p->amount.hi);
    double salt = rng_between(run->rng, p->salt_vs_pepper.lo, p->salt_vs_pepper.hi);

    emit(run, "salt_and_pepper", NUM("amount", amount), NUM("salt_vs_pepper", salt),
         NUM("key", draw_key(run)));
}

const struct transform SaltAndPepper_transform = {
    .name = "SaltAndPepper",
    .summary = "make some pixels white and some black",
    .group = GROUP_NOISE,
    .origin = ORIGIN_ALBUMENTATIONS,
    .example = "{\"type\": \"SaltAndPepper\", \"p\": 1}",
    .emits = (const char *const[]){ "salt_and_pepper", NULL },
    .params = rows,
    .params_size = sizeof(struct params),
    .chance = 0.5,
    .draw = draw,
};
