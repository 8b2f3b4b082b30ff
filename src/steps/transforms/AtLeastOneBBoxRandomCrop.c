/* AtLeastOneBBoxRandomCrop: a window of fixed size that holds one of the boxes. */
#include "steps/transform.h"

struct params {
    int height, width;
    double erosion_factor;
};

static const struct row rows[] = {
    CROP_SIDE_ROWS(struct params, "of the window"),
    NUMBER(struct params, erosion_factor, .preset = "0", .limit = { 0, 1 },
           .help = "the share of the chosen box's width, and of its height, that may be cut off; a "
                   "pixel is always left"),
    ROWS_END,
};

/* Where a window of `size` in a line of `n` begins so that of [lo, hi] at least `keep` is inside
 * (where that is more than a window, as much as fits): any whole pixel, evenly. */
static int draw_begin(struct rng *rng, double lo, double hi, double keep, int size, int n)
{
    double first = lo + keep - size, last = hi - keep;
    int from, to;

    if (first > last) { /* it is longer than the window, which lies within */
        double swap = first;

        first = last;
        last = swap;
    }
    from = (int)ceil(fmin(fmax(first, 0), n - size));
    to = (int)floor(fmin(fmax(last, 0), n - size));
    return to > from ? (int)rng_integer(rng, from, to + 1) : to;
}

/* One of the boxes that have an area on the canvas, but crowds, each as likely. */
static bool choose_box(struct run *run, struct box *box)
{
    size_t n, used = 0;
    const struct seen *seen = run_objects(run, &n);
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

    if (!crop_fits(run, w.height, w.width))
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
    .summary = "cut out a window of fixed size that holds the box of one of the objects (crowds "
               "are not chosen); without any, anywhere",
    .group = GROUP_CROP,
    .origin = ORIGIN_ALBUMENTATIONS,
    .example = "{\"type\": \"AtLeastOneBBoxRandomCrop\", \"height\": 60, \"width\": 80}",
    .emits = (const char *const[]){ "crop", NULL },
    .subject = SUBJECT_OBJECTS,
    .params = rows,
    .params_size = sizeof(struct params),
    .draw = draw,
};
