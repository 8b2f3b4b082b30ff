/* RandomEqualize: equalizes the histogram of each channel with probability p. */
#include "steps/transform.h"

static void draw(struct run *run)
{
    emit_plain(run, "equalize");
}

const struct transform RandomEqualize_transform = {
    .name = "RandomEqualize",
    .summary = "spread each channel's levels evenly with probability `p`",
    .group = GROUP_COLOUR,
    .origin = ORIGIN_TORCHVISION,
    .example = "{\"type\": \"RandomEqualize\", \"p\": 0.5}",
    .emits = (const char *const[]){ "equalize", NULL },
    .chance = 0.5,
    .draw = draw,
};
