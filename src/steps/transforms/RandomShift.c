/* RandomShift: the image moves by some pixels on its canvas. */
#include "steps/transform.h"

struct params {
    int max_shift_px;
    double filter_thr_px;
};

static const struct row rows[] = {
    INTEGER(struct params, max_shift_px, .preset = "32", .unit = "pixels", .limit = { 0, 65500 },
            .usual = { 0, 20 }, .help = "how far at most, along and down"),
    NUMBER(struct params, filter_thr_px, .preset = "1", .unit = "pixels", .limit = { 0, 65500 },
           .usual = { 0, 4 },
           .help = "where no object's box would be left wider and higher than this, the image "
                   "stays where it is"),
    ROWS_END,
};

/* Is any box left that is large enough? Without boxes there is none to lose. */
static bool keeps_boxes(struct run *run, double least, int right, int down)
{
    size_t n, boxes = 0;
    const struct seen *seen = run_objects(run, &n);

    for (size_t i = 0; i < n; i++) {
        struct box b = seen[i].box;

        if (!seen[i].has_box)
            continue;
        boxes++;
        b = box_intersect((struct box){ b.x0 + right, b.y0 + down, b.x1 + right, b.y1 + down },
                          box_of_frame(run->frame));
        if (b.x1 - b.x0 > least && b.y1 - b.y0 > least)
            return true;
    }
    return boxes == 0;
}

static void draw(struct run *run)
{
    const struct params *p = run->params;
    int most = p->max_shift_px;
    int right = (int)rng_integer(run->rng, -most, (int64_t)most + 1);
    int down = (int)rng_integer(run->rng, -most, (int64_t)most + 1);
    struct window w = { -down, -right, run->frame.height, run->frame.width };

    if ((right || down) && keeps_boxes(run, p->filter_thr_px, right, down))
        emit_crop(run, &w);
}

const struct transform RandomShift_transform = {
    .name = "RandomShift",
    .summary = "move the image by some pixels on its canvas, whose rest is black",
    .group = GROUP_GEOMETRY,
    .origin = ORIGIN_MMDETECTION,
    .differs = "boxes below `filter_thr_px` are not dropped by it: `annotations` has min_size",
    .example = "{\"type\": \"RandomShift\", \"max_shift_px\": 20}",
    .emits = (const char *const[]){ "crop", NULL },
    .params = rows,
    .params_size = sizeof(struct params),
    .chance = 0.5,
    .draw = draw,
};
