/* scores: steps that need the scores of detections, and objects without scores. */
#pragma once

#include "labels/format.h"
#include "plan/plan.h"

/* Returns a step that needs scores, or NULL. A step with a default score needs none. */
const struct step *scores_wanted(const struct plan *);

/* True if all objects of a record, as loaded, have scores; crowds need none. Otherwise adds a fault
 * (score-missing) for each object without one. `otherwise` says what to do instead; scores_default
 * is for steps of a pipeline. */
bool scores_check(const struct step *wanted, const char *otherwise, const struct dataset *,
                  size_t record, const struct sample *, struct faults *);
extern const char *const scores_default;
