/* LetterBox: fits the image into a size with its aspect ratio, and pads the rest. */
#include "steps/transform.h"

struct params {
    struct size size;
    bool scaleup, antialias;
    int position, interpolation, fill_mask;
    struct colour fill;
};

static const struct row rows[] = {
    SIZE(struct params, size, .preset = "640", .unit = "pixels", .limit = { 1, 65500 },
         .usual = { 24, 140 }, .help = "[height, width], or one number for a square"),
    FLAG(struct params, scaleup, .preset = "true",
         .help = "enlarge small images; false: only pad them"),
    POSITION_ROW(struct params),
    RESIZE_ROWS(struct params),
    COLOUR(struct params, fill, .preset = "114",
           .help =
               "value of the border: a number for all colour channels, or one per channel; alpha "
               "becomes 0 unless a value for it is given"),
    INTEGER(struct params, fill_mask, .preset = "0", .limit = { 0, 65535 },
            .help = "label of mask pixels on the border"),
    ROWS_END,
};

static void draw(struct run *run)
{
    const struct params *p = run->params;
    struct frame to = { p->size.width, p->size.height };
    double w = run->frame.width, h = run->frame.height;
    bool by_height = to.height * w <= to.width * h;

    if (p->scaleup || (by_height ? to.height < h : to.width < w))
        emit_resize(run, by_height ? to.height : round_half_even(h * to.width / w),
                    by_height ? round_half_even(w * to.height / h) : to.width);
    emit_canvas(run, to, p->position);
}

const struct transform LetterBox_transform = {
    .name = "LetterBox",
    .summary = "fit into a size, keep the aspect ratio, pad the rest",
    .group = GROUP_GEOMETRY,
    .origin = ORIGIN_YOLO,
    .example = "{\"type\": \"LetterBox\", \"size\": [160, 160]}",
    .emits = (const char *const[]){ "resize", "pad", NULL },
    .params = rows,
    .params_size = sizeof(struct params),
    .draw = draw,
};
