/* transpose: exchanges rows and columns: a mirror image in the main diagonal. */
#include "steps/op.h"
#include "steps/op_shared/actions.h"

static bool resolve(const void *params, const struct scene *scene, struct action *out)
{
    (void)params;
    action_turn(scene, out, true, 1);
    return true;
}

const struct op transpose_op = {
    .name = "transpose",
    .summary = "flip along the main diagonal: rows become columns",
    .group = GROUP_GEOMETRY,
    .origin = ORIGIN_OWN,
    .example = "{\"type\": \"transpose\"}",
    .family = FAMILY_INDEX,
    .effect = EFFECT_MOVES | EFFECT_MIRRORS | EFFECT_TURNS,
    .resolve = resolve,
};
