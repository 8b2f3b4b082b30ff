/* XYMasking: paints over whole rows and columns. */
#include "steps/transform.h"

struct params {
    struct range num_masks_x, num_masks_y, mask_x_length, mask_y_length;
    struct paint fill;
    bool noise;
    struct optional fill_mask;
    int labels;
};

#define STRIPS(f, ...)                                                                             \
    RANGE(struct params, f, .preset = "[0, 0]", .whole = true, .scalar = SCALAR_FROM_0, __VA_ARGS__)
static const struct row rows[] = {
    STRIPS(num_masks_x, .unit = "strips", .limit = { 0, 1000 }, .usual = { 0, 3 },
           .help = "range of the number of vertical strips; v means [0, v]"),
    STRIPS(num_masks_y, .unit = "strips", .limit = { 0, 1000 }, .usual = { 0, 3 },
           .help = "range of the number of horizontal strips; v means [0, v]"),
    STRIPS(mask_x_length, .unit = "pixels", .limit = { 0, 65500 }, .usual = { 0, 20 },
           .help = "range of the width of a vertical strip; v means [0, v]"),
    STRIPS(mask_y_length, .unit = "pixels", .limit = { 0, 65500 }, .usual = { 0, 20 },
           .help = "range of the height of a horizontal strip; v means [0, v]"),
    DROPOUT_ROWS(struct params),
    ROWS_END,
};
#undef STRIPS

static int draw_integer(struct rng *rng, const struct range *r)
{
    return (int)rng_integer(rng, (int64_t)r->lo, (int64_t)r->hi + 1);
}

/* Draws strips of a line of n pixels as [begin, length) pairs; skips strips without length. */
static size_t draw_strips(struct run *run, int count, const struct range *length, int n,
                          struct rect *strip, bool upright)
{
    size_t used = 0;

    for (int i = 0; i < count; i++) {
        int drawn = draw_integer(run->rng, length), size = drawn < n ? drawn : n;
        int begin = (int)rng_integer(run->rng, 0, n - size + 1);

        if (size > 0)
            strip[used++] = upright ? (struct rect){ .x = begin, .w = size, .h = run->frame.height }
                                    : (struct rect){ .y = begin, .h = size, .w = run->frame.width };
    }
    return used;
}

static void draw(struct run *run)
{
    const struct params *p = run->params;
    int upright = draw_integer(run->rng, &p->num_masks_x);
    int level = draw_integer(run->rng, &p->num_masks_y);
    struct rect *strip = ARENA_ARRAY(run->arena, struct rect, (size_t)upright + (size_t)level);
    struct rects strips = { .at = strip };
    int64_t key;

    strips.n = draw_strips(run, upright, &p->mask_x_length, run->frame.width, strip, true);
    strips.n +=
        draw_strips(run, level, &p->mask_y_length, run->frame.height, strip + strips.n, false);
    key = draw_paint_key(run, &p->fill, p->noise);
    emit_shared(run, "coarse_dropout", RECTANGLES("holes", &strips), NUM("key", key));
}

const struct transform XYMasking_transform = {
    .name = "XYMasking",
    .summary = "mask whole rows or columns",
    .group = GROUP_DROPOUT,
    .origin = ORIGIN_ALBUMENTATIONS,
    .differs = "a strip is limited to the side, where Albumentations stops; boxes are "
               "unchanged unless `labels` is \"shrink\"",
    .example = "{\"type\": \"XYMasking\", \"num_masks_x\": [1, 3], \"mask_x_length\": [10, 30]}",
    .emits = (const char *const[]){ "coarse_dropout", NULL },
    .params = rows,
    .params_size = sizeof(struct params),
    .chance = 0.5,
    .draw = draw,
};
