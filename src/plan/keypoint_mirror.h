/* keypoint_mirror: may a pipeline mirror, and does the dataset say what changes places then? */
#pragma once

#include "labels/format.h"
#include "plan/plan.h"

/* True if a step of the plan may mirror. */
bool plan_mirrors(const struct plan *);

/* Faults (coco-flip-pairs) for a plan with a step that may mirror:
 *   - in `named`, the file with the dataset's categories: keypoints whose names are of a side and
 *     have no other; annotated keypoints whose names say no sides;
 *   - in `own`, the file with the annotations: keypoints without a category.
 * With dataset->lenient they are notes. False with faults. What only a tilt's corners make a mirror
 * is found when it is drawn. */
bool mirrors_check(const struct plan *, const struct dataset *, struct faults *named,
                   struct faults *own);

/* Why the sample's keypoints cannot be mirrored, in the arena; NULL when they can be. */
const char *mirrors_reject(const struct sample *, struct arena *);
