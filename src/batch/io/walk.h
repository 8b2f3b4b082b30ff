/* walk: visits all files in a folder tree; removes folder contents. */
#pragma once

#include "batch/io/root.h"

/* Implements root_calls.walk for a folder: see walk_files. */
bool folder_walk(const struct root *, const struct tree_walk *, struct text *why);

/* Returns 1 if the folder `name`, below the open one, has no entries except those in `but`, which
 * ends with NULL. Returns 0 if it has others; -1 with errno if it cannot be read. */
int folder_holds_only(int folder, const char *name, const char *const *but);
/* Removes all entries of the folder except those in `but`. Returns false with errno. */
bool folder_clear(int folder, const char *name, const char *const *but);
/* Removes a file, or a folder with its contents. Returns false with errno. */
bool folder_remove_entry(int folder, const char *name);
