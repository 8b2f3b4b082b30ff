/* conditions: conditions of steps: may a step be done to a sample as it is now? */
#pragma once

#include "labels/format.h"
#include "plan/plan.h"

/* Do all of the step's conditions hold? Objects are counted as if the end had come, sizes are those
 * of the image now. True for a step without any. */
bool when_holds(const struct step *, const struct sample *, const struct rules *);

/* Categories that steps ask for and the dataset does not have can only be slips: when-category, and
 * category-unknown of those that ops name. */
bool when_check(const struct plan *, const struct dataset *, struct faults *);
