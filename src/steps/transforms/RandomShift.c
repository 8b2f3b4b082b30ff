/* RandomShift: moves the image by some pixels on its canvas. */
#include "steps/transform.h"

struct params {
    int max_shift_px;
    double filter_thr_px;
};

static const struct row rows[] = {
    INTEGER(struct params, max_shift_px, .preset = "32", .unit = "pixels", .limit = { 0, 65500 },
            .usual = { 0, 20 }, .help = "maximum shift along x and y"),
    NUMBER(struct params, filter_thr_px, .preset = "1", .unit = "pixels", .limit = { 0, 65500 },
           .usual = { 0, 4 },
           .help = "the image does not move if no object's box would remain wider and higher "
                   "than this"),
    ROWS_END,
};

/* True if a box remains that is wider and higher than `min`, or if there are no boxes. */
static bool has_box_left(struct run *run, double min, int right, int down)
{
    size_t n, boxes = 0;
    const struct kept_object *seen = run_objects(run, &n);

    for (size_t i = 0; i < n; i++) {
        struct box b = seen[i].box;

        if (!seen[i].has_box)
            continue;
        boxes++;
        b = box_intersect((struct box){ b.x0 + right, b.y0 + down, b.x1 + right, b.y1 + down },
                          box_of_frame(run->frame));
        if (b.x1 - b.x0 > min && b.y1 - b.y0 > min)
            return true;
    }
    return boxes == 0;
}

static void draw(struct run *run)
{
    const struct params *p = run->params;
    int max_shift = p->max_shift_px;
    int right = (int)rng_integer(run->rng, -max_shift, (int64_t)max_shift + 1);
    int down = (int)rng_integer(run->rng, -max_shift, (int64_t)max_shift + 1);
    struct window w = { -down, -right, run->frame.height, run->frame.width };

    if ((right || down) && has_box_left(run, p->filter_thr_px, right, down))
        emit_crop(run, &w);
}

const struct transform RandomShift_transform = {
    .name = "RandomShift",
    .summary = "move the image by some pixels on its canvas; the rest of the canvas is black",
    .group = GROUP_GEOMETRY,
    .origin = ORIGIN_MMDETECTION,
    .differs = "boxes below `filter_thr_px` are not dropped; use min_size in `annotations`",
    .example = "{\"type\": \"RandomShift\", \"max_shift_px\": 20}",
    .emits = (const char *const[]){ "crop", NULL },
    .params = rows,
    .params_size = sizeof(struct params),
    .chance = 0.5,
    .draw = draw,
};
