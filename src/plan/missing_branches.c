/* missing_branches: branches that a draw lacks. */
#include "plan/missing_branches.h"

#include <stdlib.h>

void absences_add(struct absences *a, const struct absence *absence)
{
    if (a->n == a->room) {
        a->room = 2 * a->room + 8;
        a->at = memory_grow(a->at, a->room * sizeof *a->at);
    }
    a->at[a->n++] = *absence;
}

bool absences_contain_branch(const struct absences *a, uint32_t branch)
{
    for (size_t i = 0; i < a->n; i++)
        if (absence_contains_branch(&a->at[i], branch))
            return true;
    return false;
}

void absences_clear(struct absences *a)
{
    a->n = 0;
}

void absences_drop(struct absences *a)
{
    free(a->at);
    *a = (struct absences){ 0 };
}
