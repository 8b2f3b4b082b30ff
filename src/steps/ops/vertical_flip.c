/* vertical_flip: exchanges top and bottom. */
#include "steps/op.h"
#include "steps/op_shared/actions.h"

static bool resolve(const void *params, const struct scene *scene, struct action *out)
{
    (void)params;
    action_turn(scene, out, true, 2);
    return true;
}

const struct op vertical_flip_op = {
    .name = "vertical_flip",
    .summary = "flip vertically",
    .group = GROUP_GEOMETRY,
    .origin = ORIGIN_TORCHVISION,
    .example = "{\"type\": \"vertical_flip\"}",
    .family = FAMILY_INDEX,
    .effect = EFFECT_MOVES | EFFECT_MIRRORS,
    .resolve = resolve,
};
