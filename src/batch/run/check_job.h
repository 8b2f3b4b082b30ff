/* check_job: what can be known to be wrong with a job before work. */
#pragma once

#include "batch/dataset/job.h"

/* Faults that can be known without looking at a file: names that leave the folder, that collide in
 * the output, ids that grow too large. See preflight.h for the files. */
bool job_check(const struct job *, struct faults *);
