/* stamp_folder: the PNG files of a folder become the stamps of steps/op_shared/stamps.h. */
#pragma once

#include "plan/plan.h"

/* Reads all PNG files of the folder itself, in the order of their names; hidden ones are left out.
 * False with faults: the folder, or a file, cannot be read (stamp-unread), or there is none
 * (stamp-none). */
bool stamps_open(const char *folder, struct faults *);

/* Are the stamps there that the steps name, or, of transforms that draw them, any? False with
 * faults in the plan's text (stamp-missing, stamp-none). */
bool stamps_check(const struct plan *, struct faults *);
