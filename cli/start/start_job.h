/* start_job: the checks before a run or replay, and its start. */
#pragma once

#include "open/dataset.h"

#include "batch/run/preflight_skip.h"

struct begin {
    const char *who; /* "lockstep run"; messages begin with it */
    const struct job_options *options;
    struct job *job;
    struct preflight_skip preflight_skip; /* set by begin_check, for begin_job */
};

/* Refuses options that exclude each other, and a sandbox that the kernel does not have. Reads
 * nothing. Returns the exit code. */
int begin_check_options(const struct begin *);
/* Sets the number of workers and their memory if the options do not. There is at most one worker
 * per image, and all of them share half of the memory. The job's images must be known. */
void begin_set_workers(const struct begin *);
/* Makes all checks that are possible before the first image is decoded. Returns the exit code,
 * after printing why. */
int begin_check(struct begin *);
/* Prepares the output folder and does the job, or with `dry_run` prints what it would do. Returns
 * the exit code. */
int begin_job(struct begin *);
