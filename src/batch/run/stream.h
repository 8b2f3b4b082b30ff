/* stream: writes the outputs of a job to stdout, as one tar of samples.
 *
 * Images are processed in parts, in input order. Each part is a run of its own in a private folder;
 * its outputs are packed to stdout and then removed. Names, ids and donors are the same as in one
 * run of the whole job. So the samples are the same as with --out-format webdataset. */
#pragma once

#include "batch/dataset/job.h"

/* Runs the job; progress and messages go to stderr. Returns the exit code of the same run to a
 * folder, or 128 + SIGPIPE if the reader of stdout has gone. The tar has its end marker only if the
 * code is EXIT_DONE or EXIT_PARTIAL. */
int stream_job(const struct job *);
