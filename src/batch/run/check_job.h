/* check_job: checks a job before the run starts, without opening any image. */
#pragma once

#include "batch/dataset/job.h"

/* Adds faults that are known without opening a file: names that leave the folder or collide in the
 * output, ids that become too large. Returns false if there are any. See preflight.h for checks of
 * the files. */
bool job_check(const struct job *, struct faults *);
