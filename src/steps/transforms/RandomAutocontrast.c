/* RandomAutocontrast: stretches each channel to the full range with probability p. */
#include "steps/transform.h"

static void draw(struct run *run)
{
    emit_plain(run, "autocontrast");
}

const struct transform RandomAutocontrast_transform = {
    .name = "RandomAutocontrast",
    .summary = "stretch each channel to the full range with probability `p`",
    .group = GROUP_COLOUR,
    .origin = ORIGIN_TORCHVISION,
    .example = "{\"type\": \"RandomAutocontrast\", \"p\": 0.5}",
    .emits = (const char *const[]){ "autocontrast", NULL },
    .chance = 0.5,
    .draw = draw,
};
