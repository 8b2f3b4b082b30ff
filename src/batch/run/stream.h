/* stream: a job whose outputs go to stdout, as one tar of samples.
 *
 * Its images are done some at a time, in their order: each such part is a run of its own in a
 * private folder, whose outputs are packed to stdout, and removed. Names, ids and donors are those
 * of the whole job, and so are the samples: those that --out-format webdataset writes. */
#pragma once

#include "batch/dataset/job.h"

/* Do all of it; progress and messages on stderr. The command's exit code: that of the same run to a
 * folder, or 128 + SIGPIPE where nobody reads stdout any more. Only then does the tar have its end
 * when it is EXIT_DONE or EXIT_PARTIAL. */
int stream_job(const struct job *);
