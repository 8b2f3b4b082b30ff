/* lock: the lock of an output folder, which one run has, or several shards of a run. */
#pragma once

#include "batch/output/out_handles.h"

/* True if a run is writing to the folder. */
bool outdir_is_locked(const struct outdir *);
/* For a folder that was opened by outdir_view: takes its lock, so that no run changes it. Returns
 * false if a run has the lock, or if there is none. */
bool outdir_hold(struct outdir *);
/* In a process that was forked and may live longer: gives the lock up. */
void outdir_unlock(struct outdir *);
/* Makes OUT and its scratch, and takes its lock: F_WRLCK for a run, F_RDLCK for a shard. Returns
 * false with errno: EAGAIN if another process has it. */
bool outdir_take_lock(struct outdir *, short type);
/* True if a process has the lock of this name in the folder. */
bool outdir_lock_is_held(int folder, const char *name);
