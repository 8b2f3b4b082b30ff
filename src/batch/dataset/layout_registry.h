/* layout_registry: the list of all layouts of datasets, and the layout of a dataset. */
#pragma once

#include "batch/layout/layout.h"

extern const struct layout *const layouts[]; /* ended by NULL */

/* Finds the layout of the dataset at a path. Returns false with a fault (dataset-layout) if files
 * contradict each other. A path without a layout is no fault: then `to->layout` is NULL. */
bool layout_recognize(const char *path, struct arena *, struct found_layout *to, struct faults *);
/* Returns the layout that writes a value of --to, or NULL. */
const struct layout *layout_of_target(const char *word);
/* Sets the images and labels of a job to those of a part. The dataset is the job's. */
struct job;
struct dataset;
void layout_take_part(const struct found_layout *, const struct layout_part *, struct job *,
                      struct dataset *);
