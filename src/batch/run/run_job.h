/* run_job: runs a job. */
#pragma once

#include "batch/results/report_index.h"
#include "batch/run/progress.h"
#include "batch/webdataset/sink.h"

/* Runs a whole job; progress and messages go to stderr. Returns the exit code of the command. */
int job_run(const struct job *);

/* A job that is run in parts, one after the other, with one sink for all samples. */
struct part_run {
    struct sink *sink;
    struct collect total; /* the sum of the finished parts: counts only */
    struct progress_report progress;
};
/* Runs one part as job_run does, and adds it to the total. Returns EXIT_DONE, EXIT_PARTIAL if
 * images were skipped, 128 + SIGPIPE if the reader of the sink has gone, or another exit code. */
int job_run_part(const struct job *, struct part_run *);

/* Samples all random values and writes only manifest lines, to stdout. Returns the exit code of the
 * command. */
int job_dry_run(const struct job *);
