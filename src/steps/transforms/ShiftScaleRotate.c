/* ShiftScaleRotate: moves, scales and rotates about the middle, at random. */
#include "steps/transform.h"

struct params {
    struct range shift_limit, scale_limit, rotate_limit;
    struct optional_range shift_limit_x, shift_limit_y;
    int interpolation, padding_mode, fill_mask;
    struct colour fill;
};

static const struct row rows[] = {
    RANGE(struct params, shift_limit, .preset = "[-0.0625, 0.0625]", .limit = { -1, 1 },
          .scalar = SCALAR_SYMMETRIC,
          .help = "range of the shift as a share of width and of height, drawn separately; v "
                  "means [-v, v]"),
    RANGE(struct params, scale_limit, .preset = "[-0.1, 0.1]", .limit = { -1, 100 }, .above = true,
          .scalar = SCALAR_SYMMETRIC, .usual = { -0.5, 0.5 },
          .help = "range of the number added to a scale of 1; v means [-v, v]"),
    RANGE(struct params, rotate_limit, .preset = "[-45, 45]", .unit = "degrees",
          .limit = { -360, 360 }, .scalar = SCALAR_SYMMETRIC, .usual = { -180, 180 },
          .help = "range of the angle, counterclockwise; d means [-d, d]"),
    OPTIONAL_RANGE(struct params, shift_limit_x, .preset = "null", .limit = { -1, 1 },
                   .scalar = SCALAR_SYMMETRIC, .help = "along x, instead of shift_limit"),
    OPTIONAL_RANGE(struct params, shift_limit_y, .preset = "null", .limit = { -1, 1 },
                   .scalar = SCALAR_SYMMETRIC, .help = "along y, instead of shift_limit"),
    BLEND_ROW(struct params),
    WARP_BORDER_ROWS(struct params),
    ROWS_END,
};

static double shift(struct run *run, const struct optional_range *own, int side)
{
    const struct params *p = run->params;
    const struct range *r = own->given ? &own->range : &p->shift_limit;

    return rng_between(run->rng, r->lo, r->hi) * side;
}

static void draw(struct run *run)
{
    const struct params *p = run->params;
    double angle = rng_between(run->rng, p->rotate_limit.lo, p->rotate_limit.hi);
    double scale = 1 + rng_between(run->rng, p->scale_limit.lo, p->scale_limit.hi);
    double x = shift(run, &p->shift_limit_x, run->frame.width);
    double y = shift(run, &p->shift_limit_y, run->frame.height);

    emit_shared(run, "affine", NUM("angle", -angle), PAIR("translate", x, y), NUM("scale", scale));
}

const struct transform ShiftScaleRotate_transform = {
    .name = "ShiftScaleRotate",
    .summary = "translate, scale and rotate at random on the same canvas with probability `p`",
    .group = GROUP_GEOMETRY,
    .origin = ORIGIN_ALBUMENTATIONS,
    .example = "{\"type\": \"ShiftScaleRotate\", \"rotate_limit\": 20, \"p\": 1}",
    .emits = (const char *const[]){ "affine", NULL },
    .params = rows,
    .params_size = sizeof(struct params),
    .chance = 0.5,
    .draw = draw,
};
