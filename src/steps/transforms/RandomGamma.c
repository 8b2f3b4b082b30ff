/* RandomGamma: raises colors to a random power. */
#include "steps/transform.h"

struct params {
    struct range gamma_limit;
};

static const struct row rows[] = {
    RANGE(struct params, gamma_limit, .preset = "[80, 120]", .unit = "percent",
          .limit = { 0, INFINITY }, .scalar = SCALAR_FROM_1,
          .help = "range of the exponent: below 100 brightens dark colours, above 100 darkens "
                  "them; v means [1, v], as in Albumentations"),
    ROWS_END,
};

static void draw(struct run *run)
{
    const struct params *p = run->params;

    emit(run, "adjust_gamma",
         NUM("gamma", rng_between(run->rng, p->gamma_limit.lo, p->gamma_limit.hi) / 100));
}

const struct transform RandomGamma_transform = {
    .name = "RandomGamma",
    .summary = "raise colours to a random power",
    .group = GROUP_COLOUR,
    .origin = ORIGIN_ALBUMENTATIONS,
    .example = "{\"type\": \"RandomGamma\", \"gamma_limit\": [60, 160]}",
    .emits = (const char *const[]){ "adjust_gamma", NULL },
    .params = rows,
    .params_size = sizeof(struct params),
    .chance = 0.5,
    .draw = draw,
};
