/* crop: cuts out a window; outside of the image, pixels are black. */
#include "steps/op.h"
#include "steps/op_shared/actions.h"
#include "steps/op_shared/rows.h"

struct params {
    int top, left, height, width;
};

static const struct row rows[] = {
    CROP_ROWS(struct params),
    ROWS_END,
};

static bool resolve(const void *params, const struct scene *scene, struct action *out)
{
    const struct params *p = params;

    action_window(scene, out, p->top, p->left, (struct frame){ p->width, p->height });
    return true;
}

const struct op crop_op = {
    .name = "crop",
    .summary = "cut out a window; parts of it outside the image are 0",
    .group = GROUP_CROP,
    .origin = ORIGIN_TORCHVISION,
    .example = "{\"type\": \"crop\", \"top\": 10, \"left\": 20, \"height\": 64, \"width\": 96}",
    .params = rows,
    .params_size = sizeof(struct params),
    .family = FAMILY_INDEX,
    .effect = EFFECT_MOVES,
    .resolve = resolve,
};
