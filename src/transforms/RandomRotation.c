/* RandomRotation: turn by a random angle, counter-clockwise. */
#include "../transform.h"

struct params {
    struct range degrees;
    int interpolation, fill_mask;
    bool expand;
    struct optional_list center;
    struct colour fill;
};

static const struct row rows[] = {
    RANGE(struct params, degrees, .unit = "degrees", .limit = { -360, 360 },
          .scalar = SCALAR_SYMMETRIC, .usual = { -180, 180 },
          .help = "the angle's range, counter-clockwise; d means [-d, d]"),
    INTERPOLATION_ROW(struct params),
    FLAG(struct params, expand, .preset = "false",
         .help = "grow the canvas until all of the image fits; else corners are cut"),
    CENTER_ROW(struct params),
    FILL_ROWS(struct params),
    ROWS_END,
};

static bool check(const void *params, const struct value *step, struct faults *faults)
{
    const struct params *p = params;

    return expand_check(p->expand, &p->center, step, faults);
}

static void draw(struct run *run)
{
    const struct params *p = run->params;

    emit_shared(run, "rotate", NUM("angle", rng_between(run->rng, p->degrees.lo, p->degrees.hi)));
}

const struct transform RandomRotation_transform = {
    .name = "RandomRotation",
    .summary = "rotate by a random angle",
    .group = GROUP_GEOMETRY,
    .origin = ORIGIN_TORCHVISION,
    .example = "{\"type\": \"RandomRotation\", \"degrees\": 25, \"interpolation\": \"bilinear\", "
               "\"expand\": true}",
    .emits = (const char *const[]){ "rotate", NULL },
    .params = rows,
    .params_size = sizeof(struct params),
    .check = check,
    .draw = draw,
};
