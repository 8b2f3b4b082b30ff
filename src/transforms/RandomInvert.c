/* RandomInvert: a negative, by chance. */
#include "../transform.h"

static void draw(struct run *run)
{
    emit_plain(run, "invert");
}

const struct transform RandomInvert_transform = {
    .name = "RandomInvert",
    .summary = "make a negative, by chance",
    .example = "{\"type\": \"RandomInvert\", \"p\": 0.5}",
    .emits = (const char *const[]){ "invert", NULL },
    .chance = 0.5,
    .draw = draw,
};
