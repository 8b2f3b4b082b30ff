/* horizontal_flip: exchanges left and right. */
#include "steps/op.h"
#include "steps/op_shared/actions.h"

static bool resolve(const void *params, const struct scene *scene, struct action *out)
{
    (void)params;
    action_turn(scene, out, true, 0);
    return true;
}

const struct op horizontal_flip_op = {
    .name = "horizontal_flip",
    .summary = "flip horizontally",
    .group = GROUP_GEOMETRY,
    .origin = ORIGIN_TORCHVISION,
    .example = "{\"type\": \"horizontal_flip\"}",
    .family = FAMILY_INDEX,
    .effect = EFFECT_MOVES | EFFECT_MIRRORS,
    .resolve = resolve,
};
