/* GridDropout: paints over a grid of rectangles with probability p. */
#include "steps/transform.h"

struct params {
    double ratio;
    bool random_offset, noise;
    struct optional_range unit_size_range;
    struct optional_list holes_number_xy;
    struct list shift_xy;
    struct paint fill;
    struct optional fill_mask;
    int labels;
};

static const struct row rows[] = {
    NUMBER(struct params, ratio, .preset = "0.5", .limit = { 0, 1 }, .above = true,
           .usual = { 0.2, 0.7 },
           .help = "a hole's side as a share of the cell's side; at least 1 pixel, and at "
                   "least 1 pixel less than the cell"),
    FLAG(struct params, random_offset, .preset = "true",
         .help = "shift the grid by a random part of the space between holes; `shift_xy` is "
                 "then ignored"),
    OPTIONAL_RANGE(struct params, unit_size_range, .preset = "null", .unit = "pixels",
                   .limit = { 2, 65500 }, .usual = { 8, 20 },
                   .help = "side of the square cells, an integer or [min, max], at most the "
                           "image's shorter side"),
    OPTIONAL_LIST(struct params, holes_number_xy, .preset = "null", .least = 2, .most = 2,
                  .whole = true, .unit = "units", .limit = { 1, 65500 }, .usual = { 2, 6 },
                  .help = "number of cells, [x, y], instead of `unit_size_range`; null: cells "
                          "of a tenth of the image's width"),
    LIST(struct params, shift_xy, .preset = "[0, 0]", .least = 2, .most = 2, .whole = true,
         .unit = "pixels", .limit = { 0, 65500 }, .usual = { 0, 8 },
         .help = "[right, down]: position of the first hole in its cell"),
    DROPOUT_ROWS(struct params),
    ROWS_END,
};

static bool check(const void *params, const struct value *step, struct faults *faults)
{
    const struct params *p = params;
    const struct range *r = &p->unit_size_range.range;

    if (!p->unit_size_range.given)
        return true;
    if (p->holes_number_xy.given)
        return value_fault(faults, value_get(step, "holes_number_xy"), true, "param-conflict",
                           "\"unit_size_range\" cannot be combined with \"holes_number_xy\"");
    if (r->lo != nearbyint(r->lo) || r->hi != nearbyint(r->hi))
        return value_fault(faults, value_get(step, "unit_size_range"), false, "param-type",
                           "expected integers");
    return true;
}

static int at_least_2(int v)
{
    return v > 2 ? v : 2;
}

/* Chooses the size of a cell as Albumentations does. */
static struct size draw_unit(struct run *run)
{
    const struct params *p = run->params;
    struct frame f = run->frame;
    struct range r = p->unit_size_range.range;
    int shorter = f.width < f.height ? f.width : f.height, side;

    if (p->unit_size_range.given) {
        side = (int)rng_integer(run->rng, (int64_t)r.lo, (int64_t)r.hi + 1);
        side = side < shorter ? side : shorter;
        return (struct size){ at_least_2(side), at_least_2(side), false };
    }
    if (p->holes_number_xy.given)
        return (struct size){ at_least_2(f.height / (int)p->holes_number_xy.list.at[1]),
                              at_least_2(f.width / (int)p->holes_number_xy.list.at[0]), false };
    side = at_least_2(f.width / 10);
    return (struct size){ at_least_2(side < f.height ? side : f.height), side, false };
}

static int hole_side(double ratio, int unit)
{
    return (int)fmin(unit - 1, fmax(1, floor(unit * ratio)));
}

static int draw_offset(struct run *run, int room, double shift)
{
    const struct params *p = run->params;

    return p->random_offset ? (int)rng_integer(run->rng, 0, room + 1) : (int)fmin(shift, room);
}

static void draw(struct run *run)
{
    const struct params *p = run->params;
    struct size unit = draw_unit(run);
    int height = hole_side(p->ratio, unit.height), width = hole_side(p->ratio, unit.width);
    int left = draw_offset(run, unit.width - width, p->shift_xy.at[0]);
    int top = draw_offset(run, unit.height - height, p->shift_xy.at[1]);
    int64_t key = draw_paint_key(run, &p->fill, p->noise);

    emit_shared(run, "grid_dropout", PAIR("unit", unit.height, unit.width),
                PAIR("hole", height, width), NUM("top", top), NUM("left", left), NUM("key", key));
}

const struct transform GridDropout_transform = {
    .name = "GridDropout",
    .summary = "paint over a grid of rectangles with probability `p`",
    .group = GROUP_DROPOUT,
    .origin = ORIGIN_ALBUMENTATIONS,
    .example = "{\"type\": \"GridDropout\", \"p\": 1, \"ratio\": 0.4, \"holes_number_xy\": [8, 6]}",
    .emits = (const char *const[]){ "grid_dropout", NULL },
    .params = rows,
    .params_size = sizeof(struct params),
    .chance = 0.5,
    .check = check,
    .draw = draw,
};
