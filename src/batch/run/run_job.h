/* run_job: doing a job. */
#pragma once

#include "batch/dataset/job.h"

/* Do all of it; progress and messages on stderr. The command's exit code. */
int job_run(const struct job *);
/* Draw everything and write nothing: manifest lines on stdout. The command's exit code. */
int job_dry_run(const struct job *);
