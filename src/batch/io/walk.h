/* walk: the files of a folder and of those below it; emptying a folder. */
#pragma once

#include "batch/io/root.h"

/* The walk of root.h for a folder: see walk_files. */
bool folder_walk(const struct root *, const struct tree_walk *, struct text *why);

/* Returns 1 if the folder `name`, below the open one, has no entry except these, whose list NULL
 * ends; 0 if it has others; -1 with errno if it cannot be read. */
int folder_holds_only(int folder, const char *name, const char *const *but);
/* Removes all entries of the folder except these. Returns false with errno. */
bool folder_clear(int folder, const char *name, const char *const *but);
/* Removes a file, or a folder with all that is in it. Returns false with errno. */
bool folder_remove_entry(int folder, const char *name);
