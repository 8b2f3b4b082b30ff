/* mirrors: may a pipeline mirror, and does the dataset say what changes places then? */
#pragma once

#include "../format.h"
#include "plan.h"

/* Faults in the dataset's file, for a plan with a step that may mirror: keypoints whose names are
 * of a side and have no other (coco-flip-pairs). What only a tilt's corners make a mirror is found
 * when it is drawn. */
bool mirrors_check(const struct plan *, const struct dataset *, struct faults *);

/* An object with such keypoints, or NULL. */
const struct object *mirrors_unpaired(const struct sample *);
