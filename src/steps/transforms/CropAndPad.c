/* CropAndPad: crops or pads each side by some pixels. */
#include "steps/transform.h"

struct params {
    struct optional_list px, percent;
    bool keep_size, sample_independently, antialias;
    int interpolation, padding_mode, fill_mask;
    struct colour fill;
};

#define SIDES_HELP                                                                                 \
    "v: all sides; [lo, hi]: drawn for each, inclusive; [top, right, bottom, left]; or eight "     \
    "numbers, [lo, hi] for each of the four"

static const struct row rows[] = {
    OPTIONAL_LIST(struct params, px, .preset = "null", .least = 1, .most = 8, .whole = true,
                  .unit = "pixels", .limit = { -65500, 65500 }, .usual = { -10, 10 },
                  .differs = "ranges include their upper end; Albumentations' exclude it",
                  .help = "padding, or cropping below 0; " SIDES_HELP),
    OPTIONAL_LIST(struct params, percent, .preset = "null", .least = 1, .most = 8,
                  .limit = { -1, 10 }, .usual = { -0.2, 0.2 },
                  .help = "alternative: like px, as a share of height (top, bottom) or width"),
    FLAG(struct params, keep_size, .preset = "true", .help = "resize to the original size"),
    FLAG(struct params, sample_independently, .preset = "true",
         .help = "draw a value for each side; false: one value of [lo, hi] for all"),
    RESIZE_ROWS(struct params),
    FILL_ROWS(struct params),
    PADDING_MODE_ROW(struct params),
    ROWS_END,
};

static bool check_list(const struct list *list, const struct value *value, struct faults *faults)
{
    int n = list->n;

    if (n != 1 && n != 2 && n != 4 && n != 8)
        return value_fault(faults, value, false, "param-length",
                           "expected 1, 2, 4 or 8 numbers, not %d", n);
    for (int i = 0; (n == 2 || n == 8) && i < n; i += 2)
        if (list->at[i] > list->at[i + 1])
            return value_fault(faults, value, false, "param-order",
                               "the first number of a range is larger than the second");
    return true;
}

static bool check(const void *params, const struct value *step, struct faults *faults)
{
    const struct params *p = params;

    if (p->px.given && p->percent.given)
        return value_fault(faults, value_get(step, "percent"), true, "param-conflict",
                           "cannot be combined with \"px\"");
    if (!p->px.given && !p->percent.given)
        return value_fault(faults, step, false, "param-missing", "give \"px\" or \"percent\"");
    return p->px.given ? check_list(&p->px.list, value_get(step, "px"), faults)
                       : check_list(&p->percent.list, value_get(step, "percent"), faults);
}

static double draw_one(struct run *run, double lo, double hi)
{
    const struct params *p = run->params;

    if (p->px.given)
        return (double)rng_integer(run->rng, (int64_t)lo, (int64_t)hi + 1);
    return rng_between(run->rng, lo, hi);
}

/* In the order top, right, bottom, left. */
static void draw_sides(struct run *run, double side[4])
{
    const struct params *p = run->params;
    const struct list *list = p->px.given ? &p->px.list : &p->percent.list;
    const double *at = list->at;

    for (int i = 0; i < 4; i++)
        if (list->n == 1 || list->n == 4)
            side[i] = at[list->n == 1 ? 0 : i];
        else if (list->n == 8)
            side[i] = draw_one(run, at[2 * i], at[2 * i + 1]);
        else
            side[i] = i == 0 || p->sample_independently ? draw_one(run, at[0], at[1]) : side[0];
}

/* Keeps at least one of n pixels: both ends crop less, in proportion to what they crop. */
static void leave_one(int *a, int *b, int n)
{
    int64_t from_a = *a < 0 ? -*a : 0, from_b = *b < 0 ? -*b : 0;
    int64_t excess = from_a + from_b - (n - 1), back;

    if (excess <= 0)
        return;
    back = excess * from_a / (from_a + from_b);
    *a += (int)back;
    *b += (int)(excess - back);
}

static void draw(struct run *run)
{
    const struct params *p = run->params;
    int w = run->frame.width, h = run->frame.height, px[4];
    double side[4];

    draw_sides(run, side);
    for (int i = 0; i < 4; i++)
        px[i] = (int)(p->px.given ? side[i] : side[i] * (i % 2 ? w : h));
    leave_one(&px[0], &px[2], h);
    leave_one(&px[1], &px[3], w);
    emit_shared(run, "pad", NUMS("padding", 4, ((double[]){ px[3], px[0], px[1], px[2] })));
    if (p->keep_size)
        emit_resize(run, h, w);
}

const struct transform CropAndPad_transform = {
    .name = "CropAndPad",
    .summary = "crop or pad each side, and resize to the original size",
    .group = GROUP_CROP,
    .origin = ORIGIN_ALBUMENTATIONS,
    .example = "{\"type\": \"CropAndPad\", \"percent\": [-0.15, 0.1], \"keep_size\": false}",
    .emits = (const char *const[]){ "pad", "resize", NULL },
    .params = rows,
    .params_size = sizeof(struct params),
    .check = check,
    .draw = draw,
};
