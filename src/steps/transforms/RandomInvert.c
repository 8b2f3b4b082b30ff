/* RandomInvert: inverts colors with probability p. */
#include "steps/transform.h"

static void draw(struct run *run)
{
    emit_plain(run, "invert");
}

const struct transform RandomInvert_transform = {
    .name = "RandomInvert",
    .summary = "invert all colours with probability `p`",
    .group = GROUP_COLOUR,
    .origin = ORIGIN_TORCHVISION,
    .example = "{\"type\": \"RandomInvert\", \"p\": 0.5}",
    .emits = (const char *const[]){ "invert", NULL },
    .chance = 0.5,
    .draw = draw,
};
