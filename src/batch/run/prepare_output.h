/* prepare_output: prepares the output folder for a job. */
#pragma once

#include "batch/dataset/job.h"

/* States whether an earlier result is replaced or resumed. */
enum prepare { PREPARE_EMPTY, PREPARE_OVERWRITE, PREPARE_RESUME, PREPARE_RESUME_OVERWRITE };

/* Opens and locks the output folder as `outdir`, and completes a replacement of a result that was
 * interrupted. With PREPARE_OVERWRITE, an earlier result stays until the new one is complete.
 * PREPARE_RESUME sets `resume` of the job if an unfinished run can be resumed. If there is nothing
 * left to do, it sets `finished` to the exit code. PREPARE_RESUME_OVERWRITE acts as
 * PREPARE_OVERWRITE where PREPARE_RESUME would fail. Returns EXIT_DONE, or another exit code with
 * faults added. */
int prepare_output(struct job *, struct out_dir *, enum prepare, int *finished, struct faults *);
