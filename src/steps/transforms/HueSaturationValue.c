/* HueSaturationValue: shifts hue, saturation and value at random. */
#include "steps/transform.h"

struct params {
    struct range hue_shift_limit, sat_shift_limit, val_shift_limit;
};

static const struct row rows[] = {
    RANGE(struct params, hue_shift_limit, .preset = "[-20, 20]", .unit = "2 degrees",
          .limit = { -180, 180 }, .scalar = SCALAR_SYMMETRIC,
          .help = "range of the hue shift, in units of 2 degrees as in OpenCV and "
                  "Albumentations (60 turns red into green; not rounded to integers here); v "
                  "means [-v, v]"),
    RANGE(struct params, sat_shift_limit, .preset = "[-30, 30]", .unit = "levels",
          .limit = { -255, 255 }, .scalar = SCALAR_SYMMETRIC,
          .help = "range of the number added to the saturation, 0 to 255; gray pixels stay "
                  "gray; v means [-v, v]"),
    RANGE(struct params, val_shift_limit, .preset = "[-20, 20]", .unit = "levels",
          .limit = { -255, 255 }, .scalar = SCALAR_SYMMETRIC,
          .help = "range of the number added to the value, the largest of a pixel's colours, "
                  "on the scale 0..255; v means [-v, v]"),
    ROWS_END,
};

static void draw(struct run *run)
{
    const struct params *p = run->params;
    double hue = rng_between(run->rng, p->hue_shift_limit.lo, p->hue_shift_limit.hi);
    double sat = rng_between(run->rng, p->sat_shift_limit.lo, p->sat_shift_limit.hi);
    double val = rng_between(run->rng, p->val_shift_limit.lo, p->val_shift_limit.hi);

    emit(run, "shift_hsv", NUM("hue_shift", 2 * hue), NUM("sat_shift", sat), NUM("val_shift", val));
}

const struct transform HueSaturationValue_transform = {
    .name = "HueSaturationValue",
    .summary = "shift hue, saturation and value at random; gray images change only in value",
    .group = GROUP_COLOUR,
    .origin = ORIGIN_ALBUMENTATIONS,
    .example =
        "{\"type\": \"HueSaturationValue\", \"hue_shift_limit\": 20, \"sat_shift_limit\": 60}",
    .emits = (const char *const[]){ "shift_hsv", NULL },
    .params = rows,
    .params_size = sizeof(struct params),
    .chance = 0.5,
    .draw = draw,
};
