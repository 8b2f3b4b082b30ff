/* out_dir: making an output folder, taking it for a run and giving it back. The state of the folder
 * is described in out_handles.h. */
#pragma once

#include "base/fault.h"
#include "batch/output/out_handles.h"

/* May a run write to the folder? Nothing is changed. With `overwrite`, what an earlier run left may
 * be in it. EXIT_DONE, or the exit code with a fault added. */
int outdir_inspect(const char *path, bool overwrite, bool dry_run, struct faults *);

/* Make the folder and take its lock, for as long as it is open. The same is asked again under the
 * lock. EXIT_DONE, or the exit code with a fault added; then nothing is open and nothing was made.
 */
int outdir_open(struct outdir *, const char *path, bool overwrite, struct faults *);
/* Open a folder to look at it only: nothing is made or locked, and `scratch` is 0 if there is none.
 * False with errno. */
bool outdir_view(struct outdir *, const char *path);
/* Is there nothing in it? */
bool outdir_is_empty(const struct outdir *);
/* Close it before anything was written, and remove what outdir_open has made. */
void outdir_abandon(struct outdir *);
/* Remove the scratch and close it: the run is done. False with errno when it could not be removed:
 * what is in OUT is complete all the same. */
bool outdir_finish(struct outdir *);

/* Write everything on the file system of OUT to its disk. False with errno, also for what could not
 * be written earlier. */
bool outdir_sync(struct outdir *);

/* Is there a result in the scratch that is built apart? */
bool outdir_has_apart(const struct outdir *);
/* From now on, paths below OUT mean paths below OUT/.lockstep/new, which is made if need be; until
 * outdir_leave_apart. */
bool outdir_go_apart(struct outdir *);
void outdir_leave_apart(struct outdir *);

/* Remove what is in the scratch but for the lock. */
bool outdir_clear(struct outdir *);

/* Remove what is in the scratch but for the lock, the list, the journal, the object spool and what
 * is built apart. */
bool outdir_tidy(struct outdir *);

/* Refuse OUT for what stands in it. `own`: this process has its lock. */
int outdir_refuse_occupied(const char *path, int folder, bool own, struct faults *);
