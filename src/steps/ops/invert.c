/* invert: replaces every color by its complement. */
#include "steps/op.h"
#include "steps/op_shared/actions.h"

static bool resolve(const void *params, const struct scene *scene, struct action *out)
{
    (void)params;
    action_line(scene, out, -1, 255);
    return true;
}

const struct op invert_op = {
    .name = "invert",
    .summary = "invert all colours",
    .group = GROUP_COLOUR,
    .origin = ORIGIN_TORCHVISION,
    .example = "{\"type\": \"invert\"}",
    .family = FAMILY_TABLE,
    .linear = true,
    .effect = EFFECT_RECOLOURS,
    .resolve = resolve,
};
