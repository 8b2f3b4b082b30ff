/* grid_dropout: paints over a grid of rectangles; hidden objects lose visibility. */
#include "steps/op.h"
#include "steps/op_shared/actions.h"
#include "steps/op_shared/rows.h"

struct params {
    struct size unit, hole;
    int top, left, labels;
    struct paint fill;
    bool noise;
    int64_t key;
    struct optional fill_mask;
};

static const struct row rows[] = {
    SIZE(struct params, unit, .unit = "pixels", .limit = { 2, 65500 }, .usual = { 12, 24 },
         .help = "[height, width] of the grid's cells, from the start of a hole to the start "
                 "of the next; or one number for both"),
    SIZE(struct params, hole, .unit = "pixels", .limit = { 1, 65500 }, .usual = { 2, 12 },
         .help = "[height, width] of each hole, or one number for squares; less than `unit`"),
    INTEGER(struct params, top, .preset = "0", .unit = "pixels", .limit = { 0, 65500 },
            .usual = { 0, 12 }, .help = "first row of the first hole"),
    INTEGER(struct params, left, .preset = "0", .unit = "pixels", .limit = { 0, 65500 },
            .usual = { 0, 12 }, .help = "first column of the first hole"),
    DROPOUT_ROWS(struct params),
    KEY_ROW(struct params),
    ROWS_END,
};

static bool check(const void *params, const struct value *step, struct faults *faults)
{
    const struct params *p = params;

    if (p->hole.height >= p->unit.height || p->hole.width >= p->unit.width)
        return value_fault(faults, value_get(step, "hole"), false, "param-range",
                           "%d x %d (height x width) must be less than \"unit\", %d x %d",
                           p->hole.height, p->hole.width, p->unit.height, p->unit.width);
    return true;
}

/* Returns the number of holes that begin in a line of n pixels. */
static int count(int n, int first, int unit)
{
    return first < n ? (n - first + unit - 1) / unit : 0;
}

static bool resolve(const void *params, const struct scene *scene, struct action *out)
{
    const struct params *p = params;
    int rows_of_holes = count(scene->frame.height, p->top, p->unit.height);
    int columns = count(scene->frame.width, p->left, p->unit.width);
    size_t n = (size_t)rows_of_holes * (size_t)columns;
    struct rect *hole = ARENA_ARRAY(scene->arena, struct rect, n);

    if (!n)
        return true;
    for (size_t i = 0; i < n; i++)
        hole[i] = (struct rect){ .x = p->left + (int)(i % (size_t)columns) * p->unit.width,
                                 .y = p->top + (int)(i / (size_t)columns) * p->unit.height,
                                 .w = p->hole.width,
                                 .h = p->hole.height };
    action_paint(scene, out, &(struct rects){ hole, n }, &p->fill, p->noise, p->key);
    action_hides(scene, out, &p->fill_mask, p->labels);
    return true;
}

const struct op grid_dropout_op = {
    .name = "grid_dropout",
    .summary = "paint over a grid of rectangles; hidden objects lose visibility",
    .group = GROUP_DROPOUT,
    .origin = ORIGIN_OWN,
    .example = "{\"type\": \"grid_dropout\", \"unit\": 32, \"hole\": 16, \"top\": 8, \"left\": 8}",
    .params = rows,
    .params_size = sizeof(struct params),
    .family = FAMILY_PAINT,
    .effect = EFFECT_HIDES,
    .check = check,
    .resolve = resolve,
};
