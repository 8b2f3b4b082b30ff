/* OpticalDistortion: random lens distortion. */
#include "steps/transform.h"

struct params {
    struct range distort_limit;
    int mode, interpolation, padding_mode, fill_mask;
    struct colour fill;
};

static const struct row rows[] = {
    RANGE(struct params, distort_limit, .preset = "[-0.05, 0.05]", .limit = { -1, 1 },
          .scalar = SCALAR_SYMMETRIC, .usual = { -0.3, 0.5 },
          .help = "range of k: above 0 barrel, below 0 pincushion; below -0.33 corners fold"),
    CHOICE(struct params, mode, .preset = "\"camera\"", .choices = lens_choices,
           .help = "factor for a pixel's distance r from the middle"),
    FIELD_ROWS(struct params),
    ROWS_END,
};

static void draw(struct run *run)
{
    const struct params *p = run->params;

    emit_shared(run, "optical_distortion",
                NUM("k", rng_between(run->rng, p->distort_limit.lo, p->distort_limit.hi)));
}

const struct transform OpticalDistortion_transform = {
    .name = "OpticalDistortion",
    .summary = "distort the image like a lens, with random strength",
    .group = GROUP_GEOMETRY,
    .origin = ORIGIN_ALBUMENTATIONS,
    .example = "{\"type\": \"OpticalDistortion\", \"distort_limit\": [0.2, 0.5]}",
    .emits = (const char *const[]){ "optical_distortion", NULL },
    .params = rows,
    .params_size = sizeof(struct params),
    .chance = 0.5,
    .draw = draw,
};
