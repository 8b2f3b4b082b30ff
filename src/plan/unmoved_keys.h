/* unmoved_keys: members of annotations that no transform moves. */
#pragma once

#include "plan/plan.h"

/* Removes the keys that the pipeline drops or moves from the dataset's loose keys; removes all keys
 * if the pipeline moves no pixels. Adds the keys of images in the dataset's list of images. */
void keys_left_behind(const struct plan *, struct dataset *);
