/* RandomBrightnessContrast: applies a random factor and adds a random share of the range. */
#include "steps/transform.h"

struct params {
    struct range brightness_limit, contrast_limit;
    bool brightness_by_max;
};

static const struct row rows[] = {
    RANGE(struct params, brightness_limit, .preset = "[-0.2, 0.2]", .limit = { -1, 1 },
          .scalar = SCALAR_SYMMETRIC,
          .help = "range of the added share of the full range or of the mean; v means [-v, v]"),
    RANGE(struct params, contrast_limit, .preset = "[-0.2, 0.2]", .limit = { -1, 1 },
          .scalar = SCALAR_SYMMETRIC,
          .help = "range of the factor minus 1; black stays black; v means [-v, v]"),
    FLAG(struct params, brightness_by_max, .preset = "true",
         .differs = "without `brightness_by_max`, brightness is a share of the mean luma; "
                    "Albumentations uses the mean of all channels",
         .help = "brightness is a share of the full range; false: of the image's mean luma "
                 "(Albumentations uses the mean of all channels)"),
    ROWS_END,
};

static void draw(struct run *run)
{
    const struct params *p = run->params;
    double factor = 1 + rng_between(run->rng, p->contrast_limit.lo, p->contrast_limit.hi);
    double share = rng_between(run->rng, p->brightness_limit.lo, p->brightness_limit.hi);

    if (p->brightness_by_max)
        emit(run, "scale_bands", NUM("factor", factor), NUM("offset", 255 * share));
    else
        emit(run, "scale_by_mean", NUM("factor", factor), NUM("mean_factor", share));
}

const struct transform RandomBrightnessContrast_transform = {
    .name = "RandomBrightnessContrast",
    .summary = "multiply colours and add to them at random",
    .group = GROUP_COLOUR,
    .origin = ORIGIN_ALBUMENTATIONS,
    .example = "{\"type\": \"RandomBrightnessContrast\", \"brightness_limit\": 0.2, "
               "\"contrast_limit\": 0.3}",
    .emits = (const char *const[]){ "scale_bands", "scale_by_mean", NULL },
    .params = rows,
    .params_size = sizeof(struct params),
    .chance = 0.5,
    .draw = draw,
};
