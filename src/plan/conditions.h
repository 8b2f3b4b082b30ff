/* conditions: whether a step's conditions hold for a sample. */
#pragma once

#include "labels/format.h"
#include "plan/plan.h"

/* True if all of the step's conditions hold, or if it has none. Objects are counted as if they were
 * written now; sizes are those of the image now. */
bool meets_conditions(const struct step *, const struct sample *, const struct rules *);

/* Adds faults for categories that steps name and the dataset lacks, which are probably misspelled:
 * when-category for conditions, category-unknown for parameters of ops. Returns false if there are
 * any. */
bool when_check(const struct plan *, const struct dataset *, struct faults *);
