/* class_steps: the list of classes that the outputs of a plan have. */
#pragma once

#include "labels/shared/written_classes.h"
#include "plan/plan.h"

/* Sets the dataset's `written` if steps change the list of its classes. A class leaves the list if
 * no object can have it after the steps. Only steps that every image passes can achieve that: ops
 * at the top level, without `when`, with a chance of 1.
 *
 * `others` gets the numbers of steps that drop or move classes, but not for every image: "#2,
 * #3.1". It stays empty unless a class stays in the list because of that. Adds faults:
 * class-rename. */
void class_steps_apply(const struct plan *, struct dataset *, struct text *others, struct faults *);
