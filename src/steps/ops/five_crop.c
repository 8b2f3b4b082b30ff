/* five_crop: makes five samples of one: the corners and the middle. */
#include "steps/op.h"
#include "steps/op_shared/branch_steps.h"
#include "steps/op_shared/rows.h"

struct params {
    struct size size;
};

static const struct row rows[] = {
    CROP_SIZE_ROW(struct params),
    ROWS_END,
};

static void expand(const void *params, struct frame frame, int branch, struct run *run)
{
    const struct params *p = params;

    emit_five_crop(run, frame, (struct frame){ p->size.width, p->size.height }, branch);
}

const struct op five_crop_op = {
    .name = "five_crop",
    .summary = "make five samples of one: the corners and the middle",
    .group = GROUP_CROP,
    .origin = ORIGIN_TORCHVISION,
    .example = "{\"type\": \"five_crop\", \"size\": [40, 48]}",
    .params = rows,
    .params_size = sizeof(struct params),
    .family = FAMILY_INDEX,
    .effect = EFFECT_MOVES,
    .expand = expand,
    .fan_out = FIVE_CROPS,
};
