/* SmallestMaxSize: resizes the shorter side to a given length, proportionally. */
#include "steps/transform.h"

static void draw(struct run *run)
{
    side_draw(run, false);
}

const struct transform SmallestMaxSize_transform = {
    .name = "SmallestMaxSize",
    .summary = "resize the shorter side to a given length, proportionally",
    .group = GROUP_GEOMETRY,
    .origin = ORIGIN_ALBUMENTATIONS,
    .example = "{\"type\": \"SmallestMaxSize\", \"max_size\": [80, 96, 112]}",
    .emits = (const char *const[]){ "resize", NULL },
    .params = side_rows,
    .params_size = sizeof(struct side_params),
    .check = side_check,
    .draw = draw,
};
