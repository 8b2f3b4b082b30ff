/* resume: continues a run that was stopped. Its journal lists what is done; entries that are still
 * valid are kept, and all other images are done again. */
#pragma once

#include "batch/results/report_index.h"

enum resume_state {
    RESUME_FRESH,        /* no run to resume */
    RESUME_UNFINISHED,   /* the journal of an unfinished run of this job exists */
    RESUME_SWAP_PENDING, /* the job is done, but its result has not yet replaced the earlier one */
    RESUME_FINISHED,     /* the job is complete */
};

/* Finds out what can be resumed in the open output folder of the job. Changes nothing. Returns
 * EXIT_DONE, or another exit code with faults added if the folder belongs to another job or is
 * damaged. With RESUME_FINISHED, `code` is the exit code of the run that finished. */
int resume_inspect(const struct job *, enum resume_state *, int *code, struct faults *);

/* Lists the images that the preflight skips: the journal has them as done, and their inputs have
 * not changed. The output folder need not be open, and nothing is changed. The list is empty if
 * there is no journal, or if it is of another run. */
void resume_find_skippable(const struct job *, struct preflight_skip *);

/* For RESUME_UNFINISHED, instead of collect_start: takes over the finished images and removes the
 * files of the others. Returns false with a reason; then it can be tried again. */
bool resume_collect(struct collect *, const struct job *, struct text *why);
