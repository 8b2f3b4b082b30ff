/* RandomCropNearBBox: crops the box of an object, with its sides shifted at random. */
#include "steps/transform.h"

struct params {
    struct list max_part_shift;
};

static const struct row rows[] = {
    LIST(struct params, max_part_shift, .preset = "[0, 0.3]", .least = 1, .most = 2,
         .limit = { 0, 1 }, .usual = { 0, 0.4 },
         .help = "maximum shift of the window's sides from the box's, as shares of its height "
                 "and width: [height, width], or one number for both"),
    ROWS_END,
};

/* Draws both ends of an interval, each up to `share` of its length off, within n; returns false if
 * it is empty. */
static bool draw_ends(struct rng *rng, double lo, double hi, double share, int n, int *begin,
                      int *length)
{
    int from = (int)floor(lo), to = (int)ceil(hi), max = round_half_even((to - from) * share);

    from -= (int)rng_integer(rng, -max, max + 1);
    to += (int)rng_integer(rng, -max, max + 1);
    *begin = from < 0 ? 0 : from;
    *length = (to > n ? n : to) - *begin;
    return *length > 0;
}

static void draw(struct run *run)
{
    const struct params *p = run->params;
    const struct list *shift = &p->max_part_shift;
    size_t n, boxes = 0;
    const struct kept_object *seen = run_objects(run, &n);
    struct box *box = ARENA_ARRAY(run->arena, struct box, n), near;
    struct window w;
    bool high, wide;

    for (size_t i = 0; i < n; i++)
        if (seen[i].has_box && !seen[i].crowd)
            box[boxes++] = seen[i].box;
    if (!boxes)
        return;
    near = box[rng_integer(run->rng, 0, (int64_t)boxes)];
    high =
        draw_ends(run->rng, near.y0, near.y1, shift->at[0], run->frame.height, &w.top, &w.height);
    wide = draw_ends(run->rng, near.x0, near.x1, shift->at[shift->n - 1], run->frame.width, &w.left,
                     &w.width);
    if (high && wide)
        emit_crop(run, &w);
}

const struct transform RandomCropNearBBox_transform = {
    .name = "RandomCropNearBBox",
    .summary = "crop about the box of a random object, all with equal probability; without "
               "objects, the image stays whole",
    .group = GROUP_CROP,
    .origin = ORIGIN_ALBUMENTATIONS,
    .differs = "the box is the box of an object, not one that the caller passes under a key",
    .example = "{\"type\": \"RandomCropNearBBox\", \"max_part_shift\": [0.2, 0.3]}",
    .emits = (const char *const[]){ "crop", NULL },
    .params = rows,
    .params_size = sizeof(struct params),
    .draw = draw,
};
