/* RandomAffine: rotates clockwise, shifts, scales and shears at random; the canvas stays. */
#include "steps/transform.h"

struct params {
    struct range degrees;
    struct optional_list translate, shear;
    struct optional_range scale;
    int interpolation, padding_mode, fill_mask;
    struct colour fill;
    struct optional_list center;
};

static const struct row rows[] = {
    RANGE(struct params, degrees, .unit = "degrees", .limit = { -360, 360 },
          .scalar = SCALAR_SYMMETRIC, .usual = { -180, 180 },
          .help = "range of the angle, clockwise; d means [-d, d]"),
    OPTIONAL_LIST(struct params, translate, .preset = "null", .least = 2, .most = 2,
                  .limit = { 0, 1 },
                  .help = "maximum shift as a share of width and height: [x, y]"),
    OPTIONAL_RANGE(struct params, scale, .preset = "null", .limit = { 0, 1000 }, .above = true,
                   .usual = { 0.5, 1.8 }, .help = "of lengths"),
    OPTIONAL_LIST(struct params, shear, .preset = "null", .least = 1, .most = 4, .unit = "degrees",
                  .limit = { -89, 89 }, .usual = { 0, 20 },
                  .help = "s: along x in [-s, s]; [lo, hi]: along x; [lo, hi, lo, hi]: along x "
                          "and y"),
    INTERPOLATION_ROW(struct params),
    WARP_BORDER_ROWS(struct params),
    CENTER_ROW(struct params),
    ROWS_END,
};

static bool check(const void *params, const struct value *step, struct faults *faults)
{
    const struct params *p = params;
    const struct list *s = &p->shear.list;
    const struct value *shear = value_get(step, "shear");

    if (!p->shear.given)
        return true;
    if (s->n == 3)
        return value_fault(faults, shear, false, "param-length",
                           "expected 1, 2 or 4 numbers, not 3");
    if (s->n == 1 && s->at[0] < 0)
        return value_fault(faults, shear, false, "param-range",
                           "%g is negative; one number v means [-v, v]", s->at[0]);
    if ((s->n >= 2 && s->at[0] > s->at[1]) || (s->n == 4 && s->at[2] > s->at[3]))
        return value_fault(faults, shear, false, "param-order",
                           "the first number is larger than the second");
    return true;
}

static void draw(struct run *run)
{
    const struct params *p = run->params;
    const double *shear = p->shear.list.at;
    double angle = rng_between(run->rng, p->degrees.lo, p->degrees.hi);
    double tx = 0, ty = 0, scale = 1, sx = 0, sy = 0;

    if (p->translate.given) {
        double ax = p->translate.list.at[0] * run->frame.width;
        double ay = p->translate.list.at[1] * run->frame.height;

        tx = round_half_even(rng_between(run->rng, -ax, ax));
        ty = round_half_even(rng_between(run->rng, -ay, ay));
    }
    if (p->scale.given)
        scale = rng_between(run->rng, p->scale.range.lo, p->scale.range.hi);
    if (p->shear.given && p->shear.list.n == 1)
        sx = rng_between(run->rng, -shear[0], shear[0]);
    else if (p->shear.given)
        sx = rng_between(run->rng, shear[0], shear[1]);
    if (p->shear.given && p->shear.list.n == 4)
        sy = rng_between(run->rng, shear[2], shear[3]);
    emit_shared(run, "affine", NUM("angle", angle), PAIR("translate", tx, ty), NUM("scale", scale),
                PAIR("shear", sx, sy));
}

const struct transform RandomAffine_transform = {
    .name = "RandomAffine",
    .summary = "rotate, translate, scale and shear at random on the same canvas",
    .group = GROUP_GEOMETRY,
    .origin = ORIGIN_TORCHVISION,
    .example = "{\"type\": \"RandomAffine\", \"degrees\": 15, \"translate\": [0.1, 0.1], "
               "\"scale\": [0.8, 1.2], \"shear\": 8, \"interpolation\": \"bilinear\"}",
    .emits = (const char *const[]){ "affine", NULL },
    .params = rows,
    .params_size = sizeof(struct params),
    .check = check,
    .draw = draw,
};
