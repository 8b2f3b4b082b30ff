/* VerticalFlip: top becomes bottom with probability p. */
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
    .differs = "keypoints: left and right ones change places, as their names say",
    .example = "{\"type\": \"VerticalFlip\"}",
    .emits = (const char *const[]){ "vertical_flip", NULL },
    .chance = 0.5,
    .draw = draw,
};
