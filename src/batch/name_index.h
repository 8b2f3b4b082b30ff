/* name_index: the records of a dataset by the names of their files. */
#pragma once

#include "job.h"

/* All zero is ready for use. */
struct name_index {
    size_t *sorted; /* records; NULL until a name is looked for */
};

/* The record of this name, of several the first; false when there is none. The dataset is the same
 * in all calls. */
bool name_index_find(struct name_index *, const struct dataset *, struct slice name,
                     size_t *record);
void name_index_drop(struct name_index *);
