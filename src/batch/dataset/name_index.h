/* name_index: the records of a dataset by the names of their files. */
#pragma once

#include "batch/dataset/job.h"

/* All zero is ready for use. */
struct name_index {
    size_t *sorted; /* records, by name; NULL until a name is looked for */
    size_t
        *by_stem; /* the same, by the stem of the name's last part; NULL until one is looked for */
};

/* The record of this name, of several the first; false when there is none. The dataset is the same
 * in all calls. */
bool name_index_find(struct name_index *, const struct dataset *, struct slice name,
                     size_t *record);
/* How many records have this name without its suffix; or, where none has, a name that ends with it
 * after a slash. `record` has the first two of them, by name. */
size_t name_index_find_stem(struct name_index *, const struct dataset *, const char *stem,
                            size_t record[2]);
void name_index_drop(struct name_index *);
