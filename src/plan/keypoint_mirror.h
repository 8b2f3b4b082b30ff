/* keypoint_mirror: whether a pipeline may mirror, and whether the dataset says which keypoints
 * swap. */
#pragma once

#include "labels/format.h"
#include "plan/plan.h"

/* True if a step of the plan may mirror. */
bool plan_mirrors(const struct plan *);

/* Adds faults (coco-flip-pairs) for a plan with a step that may mirror:
 *   - in `named`, the file with the dataset's categories: keypoints whose names have a side without
 *     a counterpart; annotated keypoints whose names have no sides;
 *   - in `own`, the file with the annotations: keypoints without a category.
 * With dataset->lenient they are notes. Returns false if there are faults. A mirror that depends on
 * random corners is found when they are sampled. */
bool mirrors_check(const struct plan *, const struct dataset *, struct faults *named,
                   struct faults *own);

/* Returns why the sample's keypoints cannot be mirrored, in the arena; NULL if they can. */
const char *mirrors_reject(const struct sample *, struct arena *);
