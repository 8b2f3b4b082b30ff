/* resized_crop: crops a window and resizes it. */
#include "steps/op.h"
#include "steps/op_shared/rows.h"

#include "steps/emit.h"

struct params {
    int top, left, height, width;
    struct size size;
    int interpolation;
    bool antialias;
};

static const struct row rows[] = {
    CROP_ROWS(struct params),
    SIZE(struct params, size, .unit = "pixels", .limit = { 1, 65500 }, .usual = { 24, 140 },
         .help = "[height, width] of the result, or one number for the shorter side (the longer "
                 "one follows)"),
    RESIZE_ROWS(struct params),
    ROWS_END,
};

static void expand(const void *params, struct frame frame, int branch, struct run *run)
{
    (void)params;
    (void)frame;
    (void)branch;
    emit_shared_only(run, "crop");
    emit_shared_only(run, "resize");
}

const struct op resized_crop_op = {
    .name = "resized_crop",
    .summary = "crop a window and resize it",
    .group = GROUP_CROP,
    .origin = ORIGIN_TORCHVISION,
    .example = "{\"type\": \"resized_crop\", \"top\": 10, \"left\": 20, \"height\": 90, "
               "\"width\": 120, \"size\": [96, 128]}",
    .params = rows,
    .params_size = sizeof(struct params),
    .family = FAMILY_RESAMPLE,
    .effect = EFFECT_MOVES,
    .expand = expand,
};
