/* run_job: doing a job. */
#pragma once

#include "batch/results/collect.h"
#include "batch/run/progress.h"
#include "batch/webdataset/sink.h"

/* Do all of it; progress and messages on stderr. The command's exit code. */
int job_run(const struct job *);
/* A job that is done in parts, one after the other, whose samples all go to one sink. */
struct part_run {
    struct sink *sink;
    struct collect total; /* the sum of the parts that are done: counts alone */
    struct progress_report progress;
};
/* Does one part as job_run does, and adds it to the total. Returns its exit code: EXIT_DONE, or
 * EXIT_PARTIAL if images were skipped; 128 + SIGPIPE if nobody takes samples any more. */
int job_run_part(const struct job *, struct part_run *);

/* Draw everything and write nothing: manifest lines on stdout. The command's exit code. */
int job_dry_run(const struct job *);
