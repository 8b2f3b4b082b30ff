/* ten_crop: makes ten samples of one: the corners and the middle, and the same mirrored. */
#include "steps/op.h"
#include "steps/op_shared/branch_steps.h"
#include "steps/op_shared/rows.h"

struct params {
    struct size size;
    bool vertical_flip;
};

static const struct row rows[] = {
    CROP_SIZE_ROW(struct params),
    FLAG(struct params, vertical_flip, .preset = "false",
         .help = "mirror the second five top to bottom instead of left to right"),
    ROWS_END,
};

static void expand(const void *params, struct frame frame, int branch, struct run *run)
{
    const struct params *p = params;

    if (branch >= FIVE_CROPS)
        emit_plain(run, p->vertical_flip ? "vertical_flip" : "horizontal_flip");
    emit_five_crop(run, frame, (struct frame){ p->size.width, p->size.height },
                   branch % FIVE_CROPS);
}

const struct op ten_crop_op = {
    .name = "ten_crop",
    .summary = "make ten samples of one: the corners and the middle, and the same mirrored",
    .group = GROUP_CROP,
    .origin = ORIGIN_TORCHVISION,
    .example = "{\"type\": \"ten_crop\", \"size\": 40}",
    .params = rows,
    .params_size = sizeof(struct params),
    .family = FAMILY_INDEX,
    .effect = EFFECT_MOVES | EFFECT_MIRRORS,
    .expand = expand,
    .fan_out = 2 * FIVE_CROPS,
};
