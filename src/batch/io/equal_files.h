/* equal_files: finds files that are in several groups: the parts of a dataset, or its classes. */
#pragma once

#include "batch/io/root.h"

struct grouped_file {
    const char *root, *name; /* below a folder or an archive */
    uint32_t group, index;   /* the group, and a number for the caller */
    uint32_t first;          /* position of the first equal file, in another group; or NO_FILE */
    bool linked;             /* it is that file, by a link or the same path */
};
#define NO_FILE UINT32_MAX

/* Sets `first` and `linked` of each file. Files are equal if they have the same bytes. Only files
 * whose size occurs in several groups are read, and only their beginning if that differs. Files
 * that are empty or cannot be read are equal to none. */
void equal_files_find(struct grouped_file *, size_t n);
