/* FancyPCA: shifts all pixels at random along the principal axes of the image's colors. */
#include "steps/transform.h"

struct params {
    double alpha;
};

static const struct row rows[] = {
    NUMBER(struct params, alpha, .preset = "0.1", .limit = { 0, INFINITY },
           .help = "standard deviation of the three normal random shifts, one per axis, in "
                   "multiples of the variance along it (with colours in 0..1). All pixels shift "
                   "equally, as for AlexNet; Albumentations 2 scales distances from the mean "
                   "instead"),
    ROWS_END,
};

static void draw(struct run *run)
{
    const struct params *p = run->params;
    double alpha[3];

    for (int i = 0; i < 3; i++)
        alpha[i] = rng_normal(run->rng, 0, p->alpha);
    emit(run, "fancy_pca", NUMS("alpha", 3, alpha));
}

const struct transform FancyPCA_transform = {
    .name = "FancyPCA",
    .summary = "shift colours at random along the principal axes of the image's colours with "
               "probability `p`",
    .group = GROUP_COLOUR,
    .origin = ORIGIN_ALBUMENTATIONS,
    .differs = "all pixels shift equally, as in the paper; Albumentations' shift grows with "
               "the pixel's colour",
    .example = "{\"type\": \"FancyPCA\", \"alpha\": 1}",
    .emits = (const char *const[]){ "fancy_pca", NULL },
    .params = rows,
    .params_size = sizeof(struct params),
    .chance = 0.5,
    .draw = draw,
};
