/* RGB: gray images get three equal colour channels. */
#include "steps/transform.h"

static void draw(struct run *run)
{
    emit_plain(run, "grayscale_to_rgb");
}

const struct transform RGB_transform = {
    .name = "RGB",
    .summary = "make three equal channels of a gray image's one; RGB and alpha stay",
    .group = GROUP_COLOUR,
    .origin = ORIGIN_TORCHVISION,
    .example = "{\"type\": \"RGB\"}",
    .emits = (const char *const[]){ "grayscale_to_rgb", NULL },
    .draw = draw,
};
