/* TenCrop: makes ten samples of one: the corners and the middle, and the same mirrored. */
#include "steps/transform.h"

struct params {
    struct size size;
    bool vertical_flip;
};

static const struct row rows[] = {
    CROP_SIZE_ROW(struct params),
    FLAG(struct params, vertical_flip, .preset = "false",
         .help = "mirror the second five top to bottom instead of left to right"),
    ROWS_END,
};

static void draw(struct run *run)
{
    const struct params *p = run->params;

    emit_shared(run, "ten_crop", PAIR("size", p->size.height, p->size.width));
}

const struct transform TenCrop_transform = {
    .name = "TenCrop",
    .summary = "make ten samples of one: the corners and the middle, and the same mirrored",
    .group = GROUP_CROP,
    .origin = ORIGIN_TORCHVISION,
    .differs = "labels move with the image; torchvision raises an error if there are any",
    .example = "{\"type\": \"TenCrop\", \"size\": 40}",
    .emits = (const char *const[]){ "ten_crop", NULL },
    .params = rows,
    .params_size = sizeof(struct params),
    .draw = draw,
};
