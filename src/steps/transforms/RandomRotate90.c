/* RandomRotate90: rotates by zero to three quarter turns. */
#include "steps/transform.h"

static void draw(struct run *run)
{
    int64_t k = rng_integer(run->rng, 0, 4);

    if (k)
        emit(run, "rot90", NUM("k", k));
}

const struct transform RandomRotate90_transform = {
    .name = "RandomRotate90",
    .summary = "rotate by 0, 90, 180 or 270 degrees, each with equal probability",
    .group = GROUP_GEOMETRY,
    .origin = ORIGIN_ALBUMENTATIONS,
    .example = "{\"type\": \"RandomRotate90\"}",
    .emits = (const char *const[]){ "rot90", NULL },
    .draw = draw,
};
