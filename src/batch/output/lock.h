/* lock: the lock of an output folder, which is held by one run, or shared by several shards of a
 * run. */
#pragma once

#include "batch/output/out_handles.h"

/* True if a run is writing to the folder. */
bool out_dir_is_locked(const struct out_dir *);
/* Takes the lock of a folder that was opened by out_dir_open_to_read, so that no run changes the
 * folder. Returns false if a run has the lock, or if there is none. */
bool out_dir_lock_existing(struct out_dir *);
/* Releases the lock in a forked process that may outlive the run. */
void out_dir_unlock(struct out_dir *);
/* Makes OUT and its scratch, and takes the lock: F_WRLCK for a run, F_RDLCK for a shard. Returns
 * false with errno: EAGAIN if another process holds it. */
bool out_dir_take_lock(struct out_dir *, short type);
/* True if a process holds the lock file of this name in the folder. */
bool lock_is_held(int folder, const char *name);
