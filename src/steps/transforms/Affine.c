/* Affine: scales along x and y, rotates, shears and shifts at random, about the middle. */
#include "steps/transform.h"

struct params {
    struct list scale, shear;
    struct optional_list translate_percent, translate_px;
    struct range rotate;
    bool fit_output, keep_ratio, balanced_scale;
    int interpolation, padding_mode, fill_mask;
    struct colour fill;
};

#define AXES_HELP "v; [lo, hi], drawn separately for x and y; or [lo, hi, lo, hi] for x and y"

static const struct row rows[] = {
    LIST(struct params, scale, .preset = "[1, 1]", .least = 1, .most = 4, .limit = { 0, 1000 },
         .above = true, .usual = { 0.5, 1.8 }, .help = "of lengths: " AXES_HELP),
    OPTIONAL_LIST(struct params, translate_percent, .preset = "null", .least = 1, .most = 4,
                  .limit = { -10, 10 }, .usual = { -0.2, 0.2 },
                  .help = "shift as a share of width and height: " AXES_HELP),
    OPTIONAL_LIST(struct params, translate_px, .preset = "null", .least = 1, .most = 4,
                  .whole = true, .unit = "pixels", .limit = { -65500, 65500 }, .usual = { -12, 12 },
                  .help = "alternative, in whole pixels: " AXES_HELP),
    RANGE(struct params, rotate, .preset = "[0, 0]", .unit = "degrees", .limit = { -360, 360 },
          .usual = { -180, 180 }, .help = "angle or its range, counterclockwise"),
    LIST(struct params, shear, .preset = "[0, 0]", .least = 1, .most = 4, .unit = "degrees",
         .limit = { -89, 89 }, .usual = { -20, 20 }, .help = "along x and y: " AXES_HELP),
    FLAG(struct params, fit_output, .preset = "false",
         .help = "fit the canvas to the transformed image, which makes shifts irrelevant"),
    FLAG(struct params, keep_ratio, .preset = "false", .help = "use the scale of x also for y"),
    FLAG(struct params, balanced_scale, .preset = "false",
         .help = "if `scale` contains values below and above 1, draw either side with equal "
                 "probability, then a scale from it"),
    BLEND_ROW(struct params),
    WARP_BORDER_ROWS(struct params),
    ROWS_END,
};

static bool axes_check(const struct list *list, const char *name, const struct value *step,
                       struct faults *faults)
{
    const struct value *value = value_get(step, name);

    if (list->n == 3)
        return value_fault(faults, value, false, "param-length",
                           "expected 1, 2 or 4 numbers, not 3");
    if ((list->n >= 2 && list->at[0] > list->at[1]) || (list->n == 4 && list->at[2] > list->at[3]))
        return value_fault(faults, value, false, "param-order",
                           "the first number of a range is larger than the second");
    return true;
}

static bool check(const void *params, const struct value *step, struct faults *faults)
{
    const struct params *p = params;

    if (p->translate_percent.given && p->translate_px.given)
        return value_fault(faults, value_get(step, "translate_px"), true, "param-conflict",
                           "cannot be combined with \"translate_percent\"");
    return axes_check(&p->scale, "scale", step, faults) &&
           axes_check(&p->shear, "shear", step, faults) &&
           (!p->translate_percent.given ||
            axes_check(&p->translate_percent.list, "translate_percent", step, faults)) &&
           (!p->translate_px.given ||
            axes_check(&p->translate_px.list, "translate_px", step, faults));
}

/* Returns the range of axis i, x or y. */
static struct range of_axis(const struct list *list, int i)
{
    int first = list->n == 4 ? 2 * i : 0;

    return (struct range){ list->at[first], list->at[list->n > 1 ? first + 1 : first] };
}

static double draw_axis(struct run *run, const struct list *list, int i)
{
    struct range range = of_axis(list, i);

    return rng_between(run->rng, range.lo, range.hi);
}

static double draw_scale(struct run *run, int i)
{
    const struct params *p = run->params;
    struct range range = of_axis(&p->scale, i);

    if (p->balanced_scale && range.lo < 1 && range.hi > 1) {
        if (rng_unit(run->rng) < 0.5)
            range.hi = 1;
        else
            range.lo = 1;
    }
    return rng_between(run->rng, range.lo, range.hi);
}

static double draw_shift(struct run *run, int i)
{
    const struct params *p = run->params;
    struct range range;

    if (p->translate_percent.given)
        return draw_axis(run, &p->translate_percent.list, i) *
               (i ? run->frame.height : run->frame.width);
    if (!p->translate_px.given)
        return 0;
    range = of_axis(&p->translate_px.list, i);
    return (double)rng_integer(run->rng, (int64_t)range.lo, (int64_t)range.hi + 1);
}

/* The canvas holds all transformed pixel centers and half a pixel around them. The shift is the
 * distance of its middle from the image's. */
static struct frame fitted(struct run *run, double angle, const double scale[2],
                           const double shear[2], double shift[2])
{
    double c = cos(radians(angle)), s = sin(radians(angle));
    double kx = tan(radians(shear[0])), ky = tan(radians(shear[1]));
    double w = run->frame.width, h = run->frame.height, x = (w - 1) * scale[0],
           y = (h - 1) * scale[1];
    double across = fabs((c - kx * s) * x) + fabs((s + kx * c) * y) + 1;
    double down = fabs((ky * c - s) * x) + fabs((ky * s + c) * y) + 1;

    shift[0] = across / 2 - w / 2;
    shift[1] = down / 2 - h / 2;
    return (struct frame){ (int)ceil(across - 1e-9), (int)ceil(down - 1e-9) };
}

static void draw(struct run *run)
{
    const struct params *p = run->params;
    double angle = rng_between(run->rng, p->rotate.lo, p->rotate.hi), scale[2], shear[2], shift[2];
    struct optional_list size = { .given = p->fit_output };
    struct frame canvas;

    for (int i = 0; i < 2; i++) {
        shift[i] = draw_shift(run, i);
        scale[i] = i && p->keep_ratio ? scale[0] : draw_scale(run, i);
        shear[i] = draw_axis(run, &p->shear, i);
    }
    if (p->fit_output) {
        canvas = fitted(run, angle, scale, shear, shift);
        size.list = (struct list){ 2, { canvas.height, canvas.width } };
    }
    emit_shared(run, "warp_affine", NUM("angle", angle), NUMS("scale", 2, scale),
                NUMS("shear", 2, shear), NUMS("translate", 2, shift),
                arg_optional_list("size", &size));
}

const struct transform Affine_transform = {
    .name = "Affine",
    .summary = "scale, rotate, shear and translate at random with probability `p`",
    .group = GROUP_GEOMETRY,
    .origin = ORIGIN_ALBUMENTATIONS,
    .example = "{\"type\": \"Affine\", \"scale\": [0.8, 1.2, 0.9, 1.1], \"rotate\": [-15, 15], "
               "\"translate_percent\": [-0.1, 0.1], \"p\": 1}",
    .emits = (const char *const[]){ "warp_affine", NULL },
    .params = rows,
    .params_size = sizeof(struct params),
    .chance = 0.5,
    .check = check,
    .draw = draw,
};
