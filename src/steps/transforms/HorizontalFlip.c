/* HorizontalFlip: mirrors left and right with probability p. */
#include "steps/transform.h"

static void draw(struct run *run)
{
    emit_plain(run, "horizontal_flip");
}

const struct transform HorizontalFlip_transform = {
    .name = "HorizontalFlip",
    .summary = "mirror left to right with probability `p`",
    .group = GROUP_GEOMETRY,
    .origin = ORIGIN_ALBUMENTATIONS,
    .differs = "left and right keypoints are exchanged, by their names",
    .example = "{\"type\": \"HorizontalFlip\"}",
    .emits = (const char *const[]){ "horizontal_flip", NULL },
    .chance = 0.5,
    .draw = draw,
};
