/* prepare_output: the output folder, made ready for a job. */
#pragma once

#include "batch/dataset/job.h"

/* States whether an earlier result is replaced or resumed. */
enum prepare { PREPARE_EMPTY, PREPARE_OVERWRITE, PREPARE_RESUME, PREPARE_RESUME_OVERWRITE };

/* Open and lock the job's folder, which is `outdir` then, and end a swap that was started in it.
 * With PREPARE_OVERWRITE, a former result stays until the new one is complete. PREPARE_RESUME sets
 * `resume` of the job if there is something to resume, or `finished` to the exit code if
 * there is nothing to do. PREPARE_RESUME_OVERWRITE is PREPARE_RESUME, and PREPARE_OVERWRITE
 * where that would be refused. EXIT_DONE, or the exit code with faults added. */
int prepare_output(struct job *, struct outdir *, enum prepare, int *finished, struct faults *);
