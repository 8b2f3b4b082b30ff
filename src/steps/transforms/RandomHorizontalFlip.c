/* RandomHorizontalFlip: mirrors left and right with probability p. */
#include "steps/transform.h"

static void draw(struct run *run)
{
    emit_plain(run, "horizontal_flip");
}

const struct transform RandomHorizontalFlip_transform = {
    .name = "RandomHorizontalFlip",
    .summary = "flip horizontally with probability `p`",
    .group = GROUP_GEOMETRY,
    .origin = ORIGIN_TORCHVISION,
    .differs = "left and right keypoints are exchanged, by their names",
    .example = "{\"type\": \"RandomHorizontalFlip\", \"p\": 0.5}",
    .emits = (const char *const[]){ "horizontal_flip", NULL },
    .chance = 0.5,
    .draw = draw,
};
