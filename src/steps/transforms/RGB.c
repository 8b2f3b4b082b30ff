/* RGB: turns gray images into three equal color channels. */
#include "steps/transform.h"

static void draw(struct run *run)
{
    emit_plain(run, "grayscale_to_rgb");
}

const struct transform RGB_transform = {
    .name = "RGB",
    .summary = "turn the gray channel into three equal ones; RGB images and alpha are unchanged",
    .group = GROUP_COLOUR,
    .origin = ORIGIN_TORCHVISION,
    .example = "{\"type\": \"RGB\"}",
    .emits = (const char *const[]){ "grayscale_to_rgb", NULL },
    .draw = draw,
};
