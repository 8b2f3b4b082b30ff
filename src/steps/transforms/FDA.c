/* FDA: gives low frequencies the amplitudes of a reference picture, drawn from a folder. */
#include "steps/transform.h"

struct params {
    struct range beta_limit;
};

static const struct row rows[] = {
    RANGE(struct params, beta_limit, .preset = "[0, 0.1]", .limit = { 0, 0.5 },
          .scalar = SCALAR_FROM_0,
          .help = "range of the highest frequency that changes, in waves along each side, as a "
                  "share of the shorter side in pixels; v means [0, v]"),
    ROWS_END,
};

static void draw(struct run *run)
{
    const struct params *p = run->params;
    const struct stamp *stamp = stamp_draw(rng_u64(run->rng));
    double beta = rng_between(run->rng, p->beta_limit.lo, p->beta_limit.hi);

    if (!stamp)
        emit_refuse(run, "there are no reference pictures; give a folder of them with --stamps "
                         "[stamp-none]");
    else
        emit(run, "adapt_spectrum", { .name = "stamp", .kind = ARG_WORD, .word = stamp->name },
             NUM("beta", beta));
}

const struct transform FDA_transform = {
    .name = "FDA",
    .summary = "give low frequencies the amplitudes of a reference picture from the folder of "
               "--stamps (Fourier domain adaptation)",
    .group = GROUP_COLOUR,
    .origin = ORIGIN_ALBUMENTATIONS,
    .differs =
        "references are the pictures of a folder; their transparent parts are black; beta is "
        "at most 0.5; frequencies are symmetric about 0, as in the paper (Albumentations from "
        "1.4 on omits the last one of one side)",
    .example = "{\"type\": \"FDA\", \"p\": 1, \"beta_limit\": [0.01, 0.05]}",
    .emits = (const char *const[]){ "adapt_spectrum", NULL },
    .params = rows,
    .params_size = sizeof(struct params),
    .chance = 0.5,
    .draw = draw,
};
