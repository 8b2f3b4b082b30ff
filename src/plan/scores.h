/* scores: steps that ask for the scores of what a model found, and objects that have none. */
#pragma once

#include "labels/format.h"
#include "plan/plan.h"

/* A step that needs scores, or NULL: one with a default score needs none. */
const struct step *scores_wanted(const struct plan *);

/* Have all objects of a record one, but for crowds? They are as they were loaded. Else a fault of
 * each that has none (score-missing), which says what can be done instead: scores_default, where
 * the step is of a pipeline. */
bool scores_check(const struct step *wanted, const char *otherwise, const struct dataset *,
                  size_t record, const struct sample *, struct faults *);
extern const char *const scores_default;
