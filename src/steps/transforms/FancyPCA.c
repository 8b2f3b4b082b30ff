/* FancyPCA: a random shift along the principal axes of the image's colours. */
#include "steps/transform.h"

struct params {
    double alpha;
};

static const struct row rows[] = {
    NUMBER(struct params, alpha, .preset = "0.1", .limit = { 0, INFINITY },
           .help =
               "standard deviation of the three normal numbers drawn, one an axis, in multiples "
               "of the colours' variance along it (colours going from 0 to 1). All pixels are "
               "shifted alike, as AlexNet's were; Albumentations 2 scales their distances from "
               "the mean instead"),
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
    .summary =
        "shift colours at random along the principal axes of the image's own with probability `p`",
    .group = GROUP_COLOUR,
    .origin = ORIGIN_ALBUMENTATIONS,
    .differs = "all pixels shift alike, as in the paper; Albumentations' shift grows with a "
               "pixel's own colour",
    .example = "{\"type\": \"FancyPCA\", \"alpha\": 1}",
    .emits = (const char *const[]){ "fancy_pca", NULL },
    .params = rows,
    .params_size = sizeof(struct params),
    .chance = 0.5,
    .draw = draw,
};
