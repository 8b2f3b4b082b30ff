/* RandomAdjustSharpness: sharper or softer with probability p. */
#include "../transform.h"

struct params {
    double sharpness_factor;
};

static const struct row rows[] = {
    NUMBER(struct params, sharpness_factor, .limit = { 0, INFINITY }, .usual = { 0.2, 3 },
           .help = "0 is a blur over 3x3 pixels, 1 changes nothing, 2 doubles distances from the "
                   "blur"),
    ROWS_END,
};

static void draw(struct run *run)
{
    emit_shared_only(run, "adjust_sharpness");
}

const struct transform RandomAdjustSharpness_transform = {
    .name = "RandomAdjustSharpness",
    .summary = "make an image sharper or softer with probability `p`",
    .group = GROUP_BLUR,
    .origin = ORIGIN_TORCHVISION,
    .example = "{\"type\": \"RandomAdjustSharpness\", \"sharpness_factor\": 2, \"p\": 0.5}",
    .emits = (const char *const[]){ "adjust_sharpness", NULL },
    .params = rows,
    .params_size = sizeof(struct params),
    .chance = 0.5,
    .draw = draw,
};
