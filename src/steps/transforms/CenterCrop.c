/* CenterCrop: crops the middle of the image; smaller images are padded with black. */
#include "steps/transform.h"

struct params {
    struct size size;
};

static const struct row rows[] = {
    SIZE(struct params, size, .unit = "pixels", .limit = { 1, 65500 }, .usual = { 24, 140 },
         .help = "[height, width], or one number for a square"),
    ROWS_END,
};

/* Pads, as torchvision, sides that are too short, then crops at the rounded half. Boxes move
 * exactly as pixels do (torchvision's boxes are a pixel off in some cases of padding). */
static void draw(struct run *run)
{
    const struct params *p = run->params;
    int w = run->frame.width, h = run->frame.height;
    int more_x = p->size.width > w ? p->size.width - w : 0;
    int more_y = p->size.height > h ? p->size.height - h : 0;

    if (more_x || more_y)
        emit(run, "pad",
             NUMS("padding", 4,
                  ((double[]){ more_x / 2, more_y / 2, (more_x + 1) / 2, (more_y + 1) / 2 })));
    emit(run, "crop", NUM("top", round_half_even((h + more_y - p->size.height) / 2.)),
         NUM("left", round_half_even((w + more_x - p->size.width) / 2.)),
         NUM("height", p->size.height), NUM("width", p->size.width));
}

const struct transform CenterCrop_transform = {
    .name = "CenterCrop",
    .summary = "crop the middle; smaller images are padded with 0",
    .group = GROUP_CROP,
    .origin = ORIGIN_TORCHVISION,
    .differs = "labels of smaller images are padded like their pixels; torchvision's boxes may "
               "be a pixel off",
    .example = "{\"type\": \"CenterCrop\", \"size\": [80, 100]}",
    .emits = (const char *const[]){ "pad", "crop", NULL },
    .params = rows,
    .params_size = sizeof(struct params),
    .draw = draw,
};
