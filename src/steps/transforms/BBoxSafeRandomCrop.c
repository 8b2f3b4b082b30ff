/* BBoxSafeRandomCrop: crops a random window around all boxes. */
#include "steps/transform.h"

struct params {
    double erosion_rate;
};

static const struct row rows[] = {
    EROSION_RATE_ROW(struct params),
    ROWS_END,
};

static void draw(struct run *run)
{
    const struct params *p = run->params;
    struct window w = draw_safe_window(run, p->erosion_rate);

    emit_crop(run, &w);
}

const struct transform BBoxSafeRandomCrop_transform = {
    .name = "BBoxSafeRandomCrop",
    .summary = "crop a random window that contains all boxes completely",
    .group = GROUP_CROP,
    .origin = ORIGIN_ALBUMENTATIONS,
    .example = "{\"type\": \"BBoxSafeRandomCrop\"}",
    .emits = (const char *const[]){ "crop", NULL },
    .subject = SUBJECT_OBJECTS,
    .params = rows,
    .params_size = sizeof(struct params),
    .draw = draw,
};
