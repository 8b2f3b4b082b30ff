/* lock: the lock of an output folder, which one run has, or several shards of a run. */
#pragma once

#include "batch/output/out_handles.h"

/* Is a run writing to it? */
bool outdir_is_locked(const struct outdir *);
/* Of one that is only looked at: take its lock, so that no run changes it meanwhile. False when a
 * run has it, or there is none to take. */
bool outdir_hold(struct outdir *);
/* In a process that was forked and may live longer: hold the lock no more. */
void outdir_unlock(struct outdir *);
/* Make OUT and its scratch and take its lock: F_WRLCK for a run, F_RDLCK for a shard. False with
 * errno: EAGAIN when another has it. */
bool outdir_take_lock(struct outdir *, short type);
/* Has a process the lock of this name in the folder? */
bool outdir_lock_is_held(int folder, const char *name);
