/* name_index: finds the records of a dataset by file name. */
#pragma once

#include "batch/dataset/job.h"

/* All zero: ready for use. */
struct name_index {
    size_t *sorted;  /* records by name; NULL before the first search */
    size_t *by_stem; /* records by the stem of the name's last part; NULL before the first search */
};

/* Finds the record of a name, or the first one of several. Returns false if there is none. All
 * calls must use the same dataset. */
bool name_index_find(struct name_index *, const struct dataset *, struct slice name,
                     size_t *record);
/* Returns the number of records whose name without its suffix is the stem. If there are none,
 * counts the names that end with the stem after a slash. `record` gets the first two by name. */
size_t name_index_find_stem(struct name_index *, const struct dataset *, const char *stem,
                            size_t record[2]);
void name_index_drop(struct name_index *);
