/* test_walk: pixels and labels agree, for every op that moves something, and every transform's
 * example draws what it says, by a walk over the registry (src/walk/walk.h): a later entry is
 * tested the day it is added. */
#include "unit.h"
#include "walked.h"

#include <stdlib.h>
#include <string.h>

/* With OP=name in the environment this op alone: planted faults are in one. */
static bool is_wanted(const struct op *op)
{
    const char *only = getenv("OP");

    return (op->effect & EFFECT_MOVES) && op->family != FAMILY_JOIN &&
           (!only || strcmp(only, op->name) == 0);
}

static size_t count_wanted(void)
{
    size_t n = 0;

    for (EACH(op, op, registry_ops))
        n += is_wanted(op);
    for (EACH(transform, transform, registry_transforms))
        n += !getenv("OP");
    return n;
}

int main(void)
{
    struct walker walk = walked_begin();

    unit_plan(count_wanted());
    for (EACH(op, op, registry_ops))
        if (is_wanted(op)) {
            walk_moves(&walk, op);
            walked_report(&walk, op->name);
        }
    for (EACH(transform, transform, registry_transforms))
        if (!getenv("OP")) {
            walk_draws(&walk, transform);
            walked_report(&walk, transform->name);
        }
    walk_drop(&walk);
    return unit_end();
}
