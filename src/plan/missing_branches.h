/* missing_branches: branches that a draw lacks, since one image has fewer tiles than another.
 * Drawing one missing branch shows which others are missing, so these need not be drawn. */
#pragma once

#include "base/base.h"

/* A set of missing branches. A branch belongs to it if it has the same remainder by `stride` as
 * `branch`, and its quotient by `stride` is at least `count`. If `fan_out` is not 0, the quotient's
 * remainder by `fan_out` counts instead. `stride` is 0 for an empty set. */
struct absence {
    uint32_t branch, stride, fan_out, count;
};

static inline bool absence_contains_branch(const struct absence *a, uint32_t branch)
{
    uint32_t quotient;

    if (!a->stride || branch % a->stride != a->branch % a->stride)
        return false;
    quotient = branch / a->stride;
    return (a->fan_out ? quotient % a->fan_out : quotient) >= a->count;
}

/* The sets that are known of one draw; zero-initialized: none. */
struct absences {
    struct absence *at;
    size_t n, room;
};

void absences_add(struct absences *, const struct absence *);
bool absences_contain_branch(const struct absences *, uint32_t branch);
/* Clears the sets, for another draw. */
void absences_clear(struct absences *);
void absences_drop(struct absences *);
