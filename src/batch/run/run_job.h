/* run_job: doing a job. */
#pragma once

#include "batch/results/report_index.h"
#include "batch/run/progress.h"
#include "batch/webdataset/sink.h"

/* Does all of a job; progress and messages go to stderr. Returns the exit code of the command. */
int job_run(const struct job *);

/* A job that is done in parts, one after the other, whose samples all go to one sink. */
struct part_run {
    struct sink *sink;
    struct collect total; /* the sum of the parts that are done: counts alone */
    struct progress_report progress;
};
/* Runs one part as job_run does, and adds it to the total. Returns its exit code: EXIT_DONE, or
 * EXIT_PARTIAL if images were skipped; 128 + SIGPIPE if the sink is left. */
int job_run_part(const struct job *, struct part_run *);

/* Draws everything and writes nothing but manifest lines, to stdout. Returns the exit code of the
 * command. */
int job_dry_run(const struct job *);
