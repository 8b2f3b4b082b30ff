/* out_dir: opens an output folder for a run, and closes it. out_handles.h describes the state of
 * the folder. */
#pragma once

#include "base/fault.h"
#include "batch/output/out_handles.h"

/* Checks that a run may write to the folder, without changing anything. With `overwrite`, the
 * folder may hold a result of an earlier run. Returns EXIT_DONE, or the exit code with a fault
 * added. */
int outdir_inspect(const char *path, bool overwrite, bool dry_run, struct faults *);

/* Makes the folder and takes its lock, which is held while the folder is open. Checks again, under
 * the lock, that the folder may be written. Returns EXIT_DONE, or the exit code with a fault added;
 * then nothing is open and nothing was made. */
int outdir_open(struct outdir *, const char *path, bool overwrite, struct faults *);
/* Opens a folder for reading: nothing is made or locked, and `scratch` is 0 if there is none.
 * Returns false with errno. */
bool outdir_view(struct outdir *, const char *path);
/* True if the folder is empty. */
bool outdir_is_empty(const struct outdir *);
/* Closes the folder before anything was written, and removes what outdir_open has made. */
void outdir_abandon(struct outdir *);
/* Ends a finished run: removes the scratch and closes the folder. Returns false with errno if the
 * scratch could not be removed; the result in OUT is complete all the same. */
bool outdir_finish(struct outdir *);

/* Synchronizes the file system of OUT to its disk. Returns false with errno, also for earlier
 * writes that failed. */
bool outdir_sync(struct outdir *);

/* True if the scratch has a result that is being built in OUT/.lockstep/new. */
bool outdir_has_apart(const struct outdir *);
/* Redirects paths below OUT to OUT/.lockstep/new, which is made if it is missing, until
 * outdir_leave_apart is called. */
bool outdir_go_apart(struct outdir *);
void outdir_leave_apart(struct outdir *);

/* Removes everything in the scratch except the lock. */
bool outdir_clear(struct outdir *);

/* Removes temporary files: everything in the scratch except the lock, the list, the journal, the
 * object spool, shards and OUT/.lockstep/new. */
bool outdir_tidy(struct outdir *);

/* Adds the fault that says why OUT cannot be used, judged by its contents, and returns the exit
 * code. `own`: this process holds the lock. */
int outdir_refuse_occupied(const char *path, int folder, bool own, struct faults *);
