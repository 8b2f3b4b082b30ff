/* RandomRotation: rotates by a random angle, counterclockwise. */
#include "steps/transform.h"

struct params {
    struct range degrees;
    int interpolation, padding_mode, fill_mask;
    bool expand, crop_border;
    struct optional_list center;
    struct colour fill;
};

static const struct row rows[] = {
    RANGE(struct params, degrees, .unit = "degrees", .limit = { -360, 360 },
          .scalar = SCALAR_SYMMETRIC, .usual = { -180, 180 },
          .help = "range of the angle, counterclockwise; d means [-d, d]"),
    INTERPOLATION_ROW(struct params),
    FLAG(struct params, expand, .preset = "false",
         .help = "enlarge the canvas to show the whole image; otherwise corners are cut off"),
    CROP_BORDER_ROW(struct params),
    CENTER_ROW(struct params),
    WARP_BORDER_ROWS(struct params),
    ROWS_END,
};

static bool check(const void *params, const struct value *step, struct faults *faults)
{
    const struct params *p = params;

    if (p->crop_border && (p->expand || p->center.given))
        return value_fault(faults, value_get(step, "crop_border"), true, "param-conflict",
                           "cannot be combined with \"expand\" or \"center\"");
    return expand_check(p->expand, &p->center, step, faults);
}

static void draw(struct run *run)
{
    const struct params *p = run->params;
    double angle = rng_between(run->rng, p->degrees.lo, p->degrees.hi);

    emit_shared(run, "rotate", NUM("angle", angle));
    if (p->crop_border)
        emit_without_border(run, angle);
}

const struct transform RandomRotation_transform = {
    .name = "RandomRotation",
    .summary = "rotate by a random angle",
    .group = GROUP_GEOMETRY,
    .origin = ORIGIN_TORCHVISION,
    .example = "{\"type\": \"RandomRotation\", \"degrees\": 25, \"interpolation\": \"bilinear\", "
               "\"expand\": true}",
    .emits = (const char *const[]){ "rotate", "crop", NULL },
    .params = rows,
    .params_size = sizeof(struct params),
    .check = check,
    .draw = draw,
};
