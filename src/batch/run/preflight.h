/* preflight: finds images that will fail, before the run starts. Reads the header of every image
 * and samples its steps as a run does, but decodes no pixels. */
#pragma once

#include "batch/dataset/job.h"

/* Checks the records of the job, except those in preflight_skip, and returns how many would fail.
 * Adds one fault per kind of failure, with the first images that have it, the number of further
 * ones and a remedy. Damage that only decoding shows is not found. Forks up to as many processes as
 * the job has workers. */
size_t preflight(const struct job *, struct faults *);
/* Returns the exit code for these faults: the code for bad images, or for a missing library. */
int preflight_exit(const struct faults *);
