/* RandomSizeCrop: crops a window at a random place; its sides are drawn separately, as in DETR. */
#include "steps/transform.h"

struct params {
    int min_size, max_size;
};

static const struct row rows[] = {
    INTEGER(struct params, min_size, .unit = "pixels", .limit = { 1, 65500 }, .usual = { 16, 30 },
            .help = "minimum width and height; a shorter side of the image stays whole"),
    INTEGER(struct params, max_size, .unit = "pixels", .limit = { 1, 65500 }, .usual = { 31, 60 },
            .help = "maximum width and height, at most the image's"),
    ROWS_END,
};

static bool check(const void *params, const struct value *step, struct faults *faults)
{
    const struct params *p = params;

    return p->min_size <= p->max_size ||
           value_fault(faults, value_get(step, "max_size"), false, "param-order",
                       "it must be at least `min_size`, %d", p->min_size);
}

/* Draws the length of a window on a side of n pixels. */
static int draw_side(struct run *run, int n)
{
    const struct params *p = run->params;
    int max = p->max_size < n ? p->max_size : n;

    return p->min_size < max ? (int)rng_integer(run->rng, p->min_size, max + 1) : max;
}

static void draw(struct run *run)
{
    struct window w = { .width = draw_side(run, run->frame.width) };

    w.height = draw_side(run, run->frame.height);
    w.top = (int)rng_integer(run->rng, 0, run->frame.height - w.height + 1);
    w.left = (int)rng_integer(run->rng, 0, run->frame.width - w.width + 1);
    emit_crop(run, &w);
}

const struct transform RandomSizeCrop_transform = {
    .name = "RandomSizeCrop",
    .summary = "crop a window of random width and height at a random place",
    .group = GROUP_CROP,
    .origin = ORIGIN_OWN,
    .example = "{\"type\": \"RandomSizeCrop\", \"min_size\": 30, \"max_size\": 60}",
    .emits = (const char *const[]){ "crop", NULL },
    .params = rows,
    .params_size = sizeof(struct params),
    .check = check,
    .draw = draw,
};
