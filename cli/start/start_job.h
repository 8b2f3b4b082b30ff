/* start_job: what run and replay ask before they begin, and how they begin. */
#pragma once

#include "open/dataset.h"

#include "batch/run/preflight_skip.h"

struct begin {
    const char *who; /* "lockstep run": what messages begin with */
    const struct job_options *options;
    struct job *job;
    struct vouched vouched; /* what begin_check finds, for begin_job */
};

/* Print why something on the command line cannot be. Returns the code. */
int begin_refuse(const struct begin *, int code, const char *path, const char *code_word,
                 const char *why);
/* Do options exclude each other, or ask for containing where the kernel cannot? Known before
 * anything is read. The exit code. */
int begin_check_options(const struct begin *);
/* Set the number of workers and their memory where the options leave it open. The job's images are
 * known. */
void begin_set_workers(const struct begin *);
/* What can be known before the first image is read. The exit code, after printing why. */
int begin_check(struct begin *);
/* Make the output folder ready and do the job, or with `dry_run` print what it would do. The exit
 * code. */
int begin_job(struct begin *);
