/* VerticalFlip: mirrors top and bottom with probability p. */
#include "steps/transform.h"

static void draw(struct run *run)
{
    emit_plain(run, "vertical_flip");
}

const struct transform VerticalFlip_transform = {
    .name = "VerticalFlip",
    .summary = "mirror top to bottom with probability `p`",
    .group = GROUP_GEOMETRY,
    .origin = ORIGIN_ALBUMENTATIONS,
    .differs = "left and right keypoints are exchanged, by their names",
    .example = "{\"type\": \"VerticalFlip\"}",
    .emits = (const char *const[]){ "vertical_flip", NULL },
    .chance = 0.5,
    .draw = draw,
};
