/* LongestMaxSize: resizes the longer side to a given length, proportionally. */
#include "steps/transform.h"

static void draw(struct run *run)
{
    side_draw(run, true);
}

const struct transform LongestMaxSize_transform = {
    .name = "LongestMaxSize",
    .summary = "resize the longer side to a given length, proportionally",
    .group = GROUP_GEOMETRY,
    .origin = ORIGIN_ALBUMENTATIONS,
    .example = "{\"type\": \"LongestMaxSize\", \"max_size\": 120}",
    .emits = (const char *const[]){ "resize", NULL },
    .params = side_rows,
    .params_size = sizeof(struct side_params),
    .check = side_check,
    .draw = draw,
};
