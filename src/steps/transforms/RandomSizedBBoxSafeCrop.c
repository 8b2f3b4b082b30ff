/* RandomSizedBBoxSafeCrop: crops a random window around all boxes, and resizes it. */
#include "steps/transform.h"

struct params {
    int height, width;
    double erosion_rate;
    int interpolation;
    bool antialias;
};

static const struct row rows[] = {
    CROP_SIDE_ROWS(struct params, "of the result"),
    EROSION_RATE_ROW(struct params),
    RESIZE_ROWS(struct params),
    ROWS_END,
};

static void draw(struct run *run)
{
    const struct params *p = run->params;
    struct window w = draw_safe_window(run, p->erosion_rate);

    emit_crop(run, &w);
    emit_shared(run, "resize", PAIR("size", p->height, p->width));
}

const struct transform RandomSizedBBoxSafeCrop_transform = {
    .name = "RandomSizedBBoxSafeCrop",
    .summary = "crop a random window that contains all boxes completely, and resize it",
    .group = GROUP_CROP,
    .origin = ORIGIN_ALBUMENTATIONS,
    .example = "{\"type\": \"RandomSizedBBoxSafeCrop\", \"height\": 96, \"width\": 128}",
    .emits = (const char *const[]){ "crop", "resize", NULL },
    .subject = SUBJECT_OBJECTS,
    .params = rows,
    .params_size = sizeof(struct params),
    .draw = draw,
};
