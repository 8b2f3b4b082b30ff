/* missing_branches: branches that a draw does not have, as one image has fewer tiles than another.
 * Which ones is found when one of them is drawn, and then the others need not be. */
#pragma once

#include "base/base.h"

/* Branches that a draw does not have: those whose number leaves the same remainder by `stride` as
 * one of them, and whose quotient (its remainder by `fan_out`, unless that is 0) is not below
 * `count`. `stride` is 0 where there are none. */
struct absence {
    uint32_t branch, stride, fan_out, count;
};

static inline bool absence_has(const struct absence *a, uint32_t branch)
{
    uint32_t quotient;

    if (!a->stride || branch % a->stride != a->branch % a->stride)
        return false;
    quotient = branch / a->stride;
    return (a->fan_out ? quotient % a->fan_out : quotient) >= a->count;
}

/* Of one draw; all zero: none is known. */
struct absences {
    struct absence *at;
    size_t n, room;
};

void absences_add(struct absences *, const struct absence *);
bool absences_have(const struct absences *, uint32_t branch);
/* Forget them, as another draw has others. */
void absences_clear(struct absences *);
void absences_drop(struct absences *);
