/* preflight: what can be known to fail before work: every image's header is read and its steps are
 * drawn, as a run will, but no pixel is decoded. */
#pragma once

#include "batch/dataset/job.h"

/* Look at the job's records, but for those that are vouched for: how many would fail. One fault for
 * each kind of failure, with the first image that has it, how many more there are and what would
 * help. Images that only their pixels show to be wrong pass. Works in processes of its own, as many
 * as the job has. */
size_t preflight(const struct job *, struct faults *);
/* The exit code of a command that ends with these faults: of the images, or of the machine. */
int preflight_exit(const struct faults *);
