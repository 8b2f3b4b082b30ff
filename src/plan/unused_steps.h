/* unused_steps: steps of a plan that have no effect on a dataset without the labels that they need.
 */
#pragma once

#include "labels/format.h"
#include "plan/plan.h"

/* Prints the steps, as "#1 RandomIoUCrop, #3.1 SanitizeKeyPoints"; nothing if there are none. */
void idle_print(const struct plan *, const struct dataset *, struct text *);
