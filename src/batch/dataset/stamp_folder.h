/* stamp_folder: loads the PNG files of a folder as the stamps of steps/op_shared/stamps.h. */
#pragma once

#include "plan/plan.h"

/* Reads all PNG files of the folder, but not of its subfolders, in the order of their names. Skips
 * hidden files. Returns false with faults: the folder or a file cannot be read (stamp-unread), or
 * there is no stamp (stamp-none). */
bool stamps_open(const char *folder, struct faults *);

/* Checks that the stamps that steps name are loaded, and that at least one is loaded if a transform
 * draws random stamps. Returns false with faults in the plan's text (stamp-missing, stamp-none). */
bool stamps_check(const struct plan *, struct faults *);
