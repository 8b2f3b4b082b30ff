/* Transpose: exchanges rows and columns with probability p. */
#include "steps/transform.h"

static void draw(struct run *run)
{
    emit_plain(run, "transpose");
}

const struct transform Transpose_transform = {
    .name = "Transpose",
    .summary = "flip along the main diagonal with probability `p`",
    .group = GROUP_GEOMETRY,
    .origin = ORIGIN_ALBUMENTATIONS,
    .example = "{\"type\": \"Transpose\", \"p\": 0.5}",
    .emits = (const char *const[]){ "transpose", NULL },
    .chance = 0.5,
    .draw = draw,
};
