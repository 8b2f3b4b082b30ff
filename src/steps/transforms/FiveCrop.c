/* FiveCrop: makes five samples of one: the corners and the middle. */
#include "steps/transform.h"

struct params {
    struct size size;
};

static const struct row rows[] = {
    CROP_SIZE_ROW(struct params),
    ROWS_END,
};

static void draw(struct run *run)
{
    const struct params *p = run->params;

    emit(run, "five_crop", PAIR("size", p->size.height, p->size.width));
}

const struct transform FiveCrop_transform = {
    .name = "FiveCrop",
    .summary = "make five samples of one: the corners and the middle",
    .group = GROUP_CROP,
    .origin = ORIGIN_TORCHVISION,
    .differs = "labels move with the image; torchvision raises an error if there are any",
    .example = "{\"type\": \"FiveCrop\", \"size\": [40, 48]}",
    .emits = (const char *const[]){ "five_crop", NULL },
    .params = rows,
    .params_size = sizeof(struct params),
    .draw = draw,
};
