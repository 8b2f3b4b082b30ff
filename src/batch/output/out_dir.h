/* out_dir: opens an output folder for a run, and closes it. out_handles.h describes the state of
 * the folder. */
#pragma once

#include "base/fault.h"
#include "batch/output/out_handles.h"

/* Checks that a run may write to the folder, without changing anything. With `overwrite`, the
 * folder may hold a result of an earlier run. Returns EXIT_DONE, or the exit code with a fault
 * added. */
int out_dir_check(const char *path, bool overwrite, bool dry_run, struct faults *);

/* Makes the folder and takes its lock, which is held while the folder is open. Checks again, under
 * the lock, that the folder may be written. Returns EXIT_DONE, or the exit code with a fault added;
 * then nothing is open and nothing was made. */
int out_dir_open(struct out_dir *, const char *path, bool overwrite, struct faults *);
/* Opens a folder for reading: nothing is made or locked, and `scratch` is 0 if there is none.
 * Returns false with errno. */
bool out_dir_open_to_read(struct out_dir *, const char *path);
/* True if the folder is empty. */
bool out_dir_is_empty(const struct out_dir *);
/* Closes the folder before anything was written, and removes what out_dir_open has made. */
void out_dir_abandon(struct out_dir *);
/* Ends a finished run: removes the scratch and closes the folder. Returns false with errno if the
 * scratch could not be removed; the result in OUT is complete all the same. */
bool out_dir_finish(struct out_dir *);

/* Synchronizes the file system of OUT to its disk. Returns false with errno, also for earlier
 * writes that failed. */
bool out_dir_sync(struct out_dir *);

/* True if the scratch has a result that is being built in OUT/.lockstep/new. */
bool out_dir_has_scratch_result(const struct out_dir *);
/* Redirects paths below OUT to OUT/.lockstep/new, which is made if it is missing, until
 * out_dir_leave_scratch is called. */
bool out_dir_use_scratch(struct out_dir *);
void out_dir_leave_scratch(struct out_dir *);

/* Removes everything in the scratch except the lock. */
bool out_dir_clear_scratch(struct out_dir *);

/* Removes temporary files: everything in the scratch except the lock, the list, the journal, the
 * object spool, shards and OUT/.lockstep/new. */
bool out_dir_clear_temporary(struct out_dir *);

/* Adds the fault that says why OUT cannot be used, judged by its contents, and returns the exit
 * code. `own`: this process holds the lock. */
int out_dir_refuse_occupied(const char *path, int folder, bool own, struct faults *);
