/* InvertImg: replaces each color by its complement with probability p. */
#include "steps/transform.h"

static void draw(struct run *run)
{
    emit_plain(run, "invert");
}

const struct transform InvertImg_transform = {
    .name = "InvertImg",
    .summary = "invert colours with probability `p`",
    .group = GROUP_COLOUR,
    .origin = ORIGIN_ALBUMENTATIONS,
    .example = "{\"type\": \"InvertImg\"}",
    .emits = (const char *const[]){ "invert", NULL },
    .chance = 0.5,
    .draw = draw,
};
