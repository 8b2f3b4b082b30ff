/* AtLeastOneBBoxRandomCrop: crops a window of fixed size that contains one of the boxes. */
#include "steps/transform.h"

struct params {
    int height, width;
    double erosion_factor;
};

static const struct row rows[] = {
    CROP_SIDE_ROWS(struct params, "of the window"),
    NUMBER(struct params, erosion_factor, .preset = "0", .limit = { 0, 1 },
           .help = "share of the chosen box's width and height that may be cut off; at least "
                   "one pixel is kept"),
    ROWS_END,
};

/* Draws the begin of a window of `size` in a line of `n` pixels, all whole pixels with equal
 * probability. At least `keep` of [lo, hi] is inside, or as much as the window can hold. */
static int draw_begin(struct rng *rng, double lo, double hi, double keep, int size, int n)
{
    double first = lo + keep - size, last = hi - keep;
    int from, to;

    if (first > last) { /* the part is longer than the window, which is inside of it */
        double swap = first;

        first = last;
        last = swap;
    }
    from = (int)ceil(fmin(fmax(first, 0), n - size));
    to = (int)floor(fmin(fmax(last, 0), n - size));
    return to > from ? (int)rng_integer(rng, from, to + 1) : to;
}

/* Chooses one of the boxes with an area on the canvas, all with equal probability; crowds are
 * skipped. */
static bool choose_box(struct run *run, struct box *box)
{
    size_t n, used = 0;
    const struct kept_object *seen = run_objects(run, &n);
    struct box *at = ARENA_ARRAY(run->arena, struct box, n);

    for (size_t i = 0; i < n; i++) {
        at[used] = box_intersect(seen[i].box, box_of_frame(run->frame));
        used += seen[i].has_box && !seen[i].crowd && !box_is_empty(at[used]);
    }
    if (used)
        *box = at[rng_integer(run->rng, 0, (int64_t)used)];
    return used > 0;
}

static void draw(struct run *run)
{
    const struct params *p = run->params;
    struct window w = { .height = p->height, .width = p->width };
    int W = run->frame.width, H = run->frame.height;
    struct box b;

    if (!check_crop_size(run, w.height, w.width))
        return;
    if (choose_box(run, &b)) {
        double keep = 1 - p->erosion_factor, width = b.x1 - b.x0, height = b.y1 - b.y0;

        w.left = draw_begin(run->rng, b.x0, b.x1, fmax(keep * width, fmin(1, width)), w.width, W);
        w.top = draw_begin(run->rng, b.y0, b.y1, fmax(keep * height, fmin(1, height)), w.height, H);
    } else {
        w.left = (int)rng_integer(run->rng, 0, W - w.width + 1);
        w.top = (int)rng_integer(run->rng, 0, H - w.height + 1);
    }
    emit_crop(run, &w);
}

const struct transform AtLeastOneBBoxRandomCrop_transform = {
    .name = "AtLeastOneBBoxRandomCrop",
    .summary = "crop a window of fixed size that contains the box of a random object (not a "
               "crowd); without objects, at a random place",
    .group = GROUP_CROP,
    .origin = ORIGIN_ALBUMENTATIONS,
    .example = "{\"type\": \"AtLeastOneBBoxRandomCrop\", \"height\": 60, \"width\": 80}",
    .emits = (const char *const[]){ "crop", NULL },
    .subject = SUBJECT_OBJECTS,
    .params = rows,
    .params_size = sizeof(struct params),
    .draw = draw,
};
