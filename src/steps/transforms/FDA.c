/* FDA: low frequencies as strong as those of a reference, one of a folder. */
#include "steps/transform.h"

struct params {
    struct range beta_limit;
};

static const struct row rows[] = {
    RANGE(struct params, beta_limit, .preset = "[0, 0.1]", .limit = { 0, 0.5 },
          .scalar = SCALAR_FROM_0,
          .help = "range of the share of the shorter side, in pixels, up to which waves along each "
                  "side become as strong as the reference's; v means [0, v]"),
    ROWS_END,
};

static void draw(struct run *run)
{
    const struct params *p = run->params;
    const struct stamp *stamp = stamp_draw(rng_u64(run->rng));
    double beta = rng_between(run->rng, p->beta_limit.lo, p->beta_limit.hi);

    if (!stamp)
        emit_refuse(run, "there are no references: give a folder of them with --stamps "
                         "[stamp-none]");
    else
        emit(run, "adapt_spectrum", { .name = "stamp", .kind = ARG_WORD, .word = stamp->name },
             NUM("beta", beta));
}

const struct transform FDA_transform = {
    .name = "FDA",
    .summary = "make low frequencies as strong as those of a reference, one of the folder that "
               "--stamps names (Fourier domain adaptation)",
    .group = GROUP_COLOUR,
    .origin = ORIGIN_ALBUMENTATIONS,
    .differs =
        "references are the pictures of a folder; what is transparent of them is black; beta is "
        "at most 0.5; frequencies are the paper's, on both sides of 0 alike, of which "
        "Albumentations from 1.4 on leaves one side's last out",
    .example = "{\"type\": \"FDA\", \"p\": 1, \"beta_limit\": [0.01, 0.05]}",
    .emits = (const char *const[]){ "adapt_spectrum", NULL },
    .params = rows,
    .params_size = sizeof(struct params),
    .chance = 0.5,
    .draw = draw,
};
