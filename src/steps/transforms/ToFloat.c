/* ToFloat: converts samples to floats, divided by the maximum value. */
#include "steps/transform.h"

struct params {
    struct optional max_value;
};

static const struct row rows[] = {
    OPTIONAL(struct params, max_value, .preset = "null", .limit = { 0, INFINITY }, .above = true,
             .usual = { 100, 300 }, .help = "divisor of samples; null: the maximum of their type"),
    ROWS_END,
};

static void draw(struct run *run)
{
    const struct params *p = run->params;

    emit(run, "to_dtype", WORD("dtype", dtype_choices, PIXEL_F32),
         YES("scale", !p->max_value.given));
    if (p->max_value.given)
        emit(run, "normalize", NUM("mean", 0), NUM("std", p->max_value.number));
}

const struct transform ToFloat_transform = {
    .name = "ToFloat",
    .summary = "convert samples to floats, divided by the maximum value",
    .group = GROUP_COLOUR,
    .origin = ORIGIN_ALBUMENTATIONS,
    .example = "{\"type\": \"ToFloat\"}",
    .emits = (const char *const[]){ "to_dtype", "normalize", NULL },
    .params = rows,
    .params_size = sizeof(struct params),
    .draw = draw,
};
