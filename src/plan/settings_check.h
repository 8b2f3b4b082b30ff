/* settings_check: checks a pipeline's annotation settings against the labels of a dataset. */
#pragma once

#include "labels/format.h"
#include "plan/plan.h"

/* Adds faults for settings that the dataset's labels cannot follow: target-refused, and
 * param-conflict for keys that are the format's own. `idle` gets the settings without an effect on
 * them, as "min_area, boxes"; with `verbose`, also settings that are not worth a warning. `masks`:
 * the job has label masks. */
void settings_check(const struct plan *, const struct dataset *, bool masks, bool verbose,
                    struct faults *, struct text *idle);
