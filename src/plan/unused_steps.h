/* unused_steps: steps of a plan that can do nothing to a dataset, for it lacks what they look at.
 */
#pragma once

#include "labels/format.h"
#include "plan/plan.h"

/* Print them, as "#1 RandomIoUCrop, #3.1 SanitizeKeyPoints"; nothing when there are none. */
void idle_print(const struct plan *, const struct dataset *, struct text *);
