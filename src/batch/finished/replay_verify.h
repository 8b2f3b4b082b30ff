/* replay_verify: recorded lines are done, nothing is written, and what they give is compared with
 * what stands in the output folder. */
#pragma once

#include "batch/manifest/recorded_steps.h"

/* Compare the files of each of the job's lines, and their annotations, with those in the job's
 * `out`; where that is "", with the hashes of the lines, which must have them; prints a line for
 * each output that differs or failed, in order, and counts them. EXIT_DONE, or the exit code with a
 * fault added. */
int replay_verify(struct job *, size_t *differ, struct faults *);
