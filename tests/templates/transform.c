/* NAME: brightens or darkens by a random factor. */
#include "steps/transform.h"

struct params {
    struct range factor;
};

static const struct row rows[] = {
    RANGE(struct params, factor, .preset = "[0.8, 1.2]", .limit = { 0, 10 },
          .help = "the factor's range; 1 changes nothing"),
    ROWS_END,
};

static void draw(struct run *run)
{
    const struct params *p = run->params;

    emit(run, "adjust_brightness",
         NUM("brightness_factor", rng_between(run->rng, p->factor.lo, p->factor.hi)));
}

const struct transform NAME_transform = {
    .name = "NAME",
    .summary = "brighten or darken at random",
    .group = GROUP_COLOUR,
    .origin = ORIGIN_OWN,
    .example = "{\"type\": \"NAME\", \"factor\": [0.9, 1.3]}",
    .emits = (const char *const[]){ "adjust_brightness", NULL },
    .params = rows,
    .params_size = sizeof(struct params),
    .draw = draw,
};
