/* lock: the lock of an output folder, which is held by one run, or shared by several shards of a
 * run. */
#pragma once

#include "batch/output/out_handles.h"

/* True if a run is writing to the folder. */
bool outdir_is_locked(const struct outdir *);
/* Takes the lock of a folder that was opened by outdir_view, so that no run changes the folder.
 * Returns false if a run has the lock, or if there is none. */
bool outdir_hold(struct outdir *);
/* Releases the lock in a forked process that may outlive the run. */
void outdir_unlock(struct outdir *);
/* Makes OUT and its scratch, and takes the lock: F_WRLCK for a run, F_RDLCK for a shard. Returns
 * false with errno: EAGAIN if another process holds it. */
bool outdir_take_lock(struct outdir *, short type);
/* True if a process holds the lock file of this name in the folder. */
bool outdir_lock_is_held(int folder, const char *name);
