/* D4: one of the eight symmetries of a square. */
#include "steps/transform.h"

static void draw(struct run *run)
{
    int64_t which = rng_integer(run->rng, 0, 8);

    if (which >= 1 && which <= 3)
        emit(run, "rot90", NUM("k", which));
    else if (which == 4)
        emit_plain(run, "vertical_flip");
    else if (which == 5)
        emit_plain(run, "horizontal_flip");
    else if (which == 7) /* in the other diagonal: a half turn and a flip in the main one */
        emit(run, "rot90", NUM("k", 2));
    if (which >= 6)
        emit_plain(run, "transpose");
}

const struct transform D4_transform = {
    .name = "D4",
    .summary = "rotate and flip into one of the eight orientations, each with equal probability",
    .group = GROUP_GEOMETRY,
    .origin = ORIGIN_ALBUMENTATIONS,
    .example = "{\"type\": \"D4\"}",
    .emits =
        (const char *const[]){ "rot90", "vertical_flip", "horizontal_flip", "transpose", NULL },
    .draw = draw,
};
