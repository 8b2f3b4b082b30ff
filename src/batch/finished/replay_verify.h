/* replay_verify: repeats recorded manifest lines without writing, and compares the results with the
 * output folder. */
#pragma once

#include "batch/manifest/recorded_steps.h"

/* Compares the files and annotations of each recorded line with the output folder `out` of the job.
 * If `out` is "", it compares with the hashes of the lines, which must have them. Prints a line for
 * each output that differs or failed, in order, and counts them in `differ`. Returns EXIT_DONE, or
 * another exit code with a fault added. */
int replay_verify(struct job *, size_t *differ, struct faults *);
