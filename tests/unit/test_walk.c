/* test_walk: pixels and labels agree for every op that moves something, and every transform's
 * example draws what it states. The test walks the registry (src/steps/properties/walk.h), so a new
 * entry is tested the day it is added. */
#include "unit.h"
#include "walked.h"

static const char *skip_op(const struct op *op)
{
    if (op->family == FAMILY_JOIN)
        return "joins images";
    return op->effect & EFFECT_MOVES ? NULL : "moves nothing";
}

int main(void)
{
    static const struct walk_scope scope = { skip_op, skip_no_transform };
    struct walker walk = walked_begin();

    walked_plan(&scope, 0);
    for (EACH(op, op, registry_ops))
        if (walked_has_op(&scope, op)) {
            walk_moves(&walk, op);
            walked_report(&walk, op->name);
        }
    for (EACH(transform, transform, registry_transforms))
        if (walked_has_transform(&scope, transform)) {
            walk_draws(&walk, transform);
            walked_report(&walk, transform->name);
        }
    walk_drop(&walk);
    return unit_end();
}
