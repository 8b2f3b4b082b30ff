/* settings_check: settings of a pipeline's annotations against the labels that it is run on. */
#pragma once

#include "labels/format.h"
#include "plan/plan.h"

/* Adds faults for settings that the dataset's labels cannot follow: target-refused, and
 * param-conflict for keys that are the format's own. `idle` is given the settings that have no
 * effect on them, as "min_area, boxes"; with `verbose`, those too that are not worth a warning.
 * `masks`: the job has label masks. */
void settings_check(const struct plan *, const struct dataset *, bool masks, bool verbose,
                    struct faults *, struct text *idle);
