/* RandomVerticalFlip: mirrors top and bottom with probability p. */
#include "steps/transform.h"

static void draw(struct run *run)
{
    emit_plain(run, "vertical_flip");
}

const struct transform RandomVerticalFlip_transform = {
    .name = "RandomVerticalFlip",
    .summary = "flip vertically with probability `p`",
    .group = GROUP_GEOMETRY,
    .origin = ORIGIN_TORCHVISION,
    .differs = "left and right keypoints are exchanged, by their names",
    .example = "{\"type\": \"RandomVerticalFlip\", \"p\": 0.5}",
    .emits = (const char *const[]){ "vertical_flip", NULL },
    .chance = 0.5,
    .draw = draw,
};
