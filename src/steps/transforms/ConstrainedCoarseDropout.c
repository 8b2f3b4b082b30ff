/* ConstrainedCoarseDropout: paints over rectangles inside the boxes of objects. */
#include "steps/transform.h"

#include <string.h>

struct params {
    struct range num_holes_range, hole_height_range, hole_width_range;
    struct names bbox_labels;
    struct paint fill;
    bool noise;
    struct optional fill_mask;
    int labels;
};

static const struct row rows[] = {
    RANGE(struct params, num_holes_range, .preset = "[1, 1]", .unit = "holes", .whole = true,
          .limit = { 1, 1000 }, .usual = { 1, 4 },
          .help = "number of holes per object: an integer, or [min, max]; drawn once per image"),
    RANGE(struct params, hole_height_range, .preset = "[0.1, 0.1]", .limit = { 0, 1 },
          .above = true, .usual = { 0.1, 0.5 },
          .help = "range of a hole's height, as a share of the box's height"),
    RANGE(struct params, hole_width_range, .preset = "[0.1, 0.1]", .limit = { 0, 1 }, .above = true,
          .usual = { 0.1, 0.5 }, .help = "range of a hole's width, as a share of the box's width"),
    NAMES(struct params, bbox_labels, .preset = "null", .categories = true,
          .help = "categories of the objects; null: all"),
    DROPOUT_ROWS(struct params),
    ROWS_END,
};

static bool is_meant(const struct kept_object *seen, const struct names *names)
{
    for (size_t i = 0; i < names->n; i++)
        if (seen->category && strcmp(seen->category, names->at[i]) == 0)
            return true;
    return !names->n;
}

/* Draws a part of lo..hi in whole pixels, at least one; all places have equal probability. */
static void draw_part(struct rng *rng, double lo, double hi, const struct range *share, int *begin,
                      int *length)
{
    int from = (int)floor(lo), side = (int)ceil(hi) - from;
    int n = (int)((hi - lo) * rng_between(rng, share->lo, share->hi));

    *length = n < 1 ? 1 : n;
    *begin = from + (int)rng_integer(rng, 0, side > *length ? side - *length + 1 : 1);
}

static void draw(struct run *run)
{
    const struct params *p = run->params;
    struct range per = p->num_holes_range;
    size_t n, each = (size_t)rng_integer(run->rng, (int64_t)per.lo, (int64_t)per.hi + 1);
    const struct kept_object *seen = run_objects(run, &n);
    struct rect *hole = ARENA_ARRAY(run->arena, struct rect, n * each);
    struct rects holes = { .at = hole };
    int64_t key;

    for (size_t i = 0; i < n; i++) {
        struct box b = box_intersect(seen[i].box, box_of_frame(run->frame));

        if (!seen[i].has_box || !is_meant(&seen[i], &p->bbox_labels) || b.x1 <= b.x0 ||
            b.y1 <= b.y0)
            continue;
        for (size_t k = 0; k < each; k++) {
            struct rect *at = &hole[holes.n++];

            draw_part(run->rng, b.y0, b.y1, &p->hole_height_range, &at->y, &at->h);
            draw_part(run->rng, b.x0, b.x1, &p->hole_width_range, &at->x, &at->w);
        }
    }
    key = draw_paint_key(run, &p->fill, p->noise);
    emit_shared(run, "coarse_dropout", RECTANGLES("holes", &holes), NUM("key", key));
}

const struct transform ConstrainedCoarseDropout_transform = {
    .name = "ConstrainedCoarseDropout",
    .summary = "paint over rectangles inside the boxes of objects",
    .group = GROUP_DROPOUT,
    .origin = ORIGIN_ALBUMENTATIONS,
    .differs = "places are drawn in boxes, not in label masks, so there is no mask_indices; "
               "without `bbox_labels` all objects are used, where Albumentations warns",
    .example = "{\"type\": \"ConstrainedCoarseDropout\", \"num_holes_range\": [2, 4], "
               "\"hole_height_range\": [0.2, 0.4], \"hole_width_range\": [0.2, 0.4]}",
    .emits = (const char *const[]){ "coarse_dropout", NULL },
    .params = rows,
    .params_size = sizeof(struct params),
    .chance = 0.5,
    .draw = draw,
};
