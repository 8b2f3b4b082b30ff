/* resume: go on with a run that was stopped. Its journal says what is done; what of that is still
 * so is kept, everything else is done again. */
#pragma once

#include "batch/results/report_index.h"

enum resume_state {
    RESUME_FRESH,    /* nothing was done: a run like any other */
    RESUME_GOES_ON,  /* there is a journal of this job */
    RESUME_SWAPS,    /* the job is done, but does not stand in the former result's place yet */
    RESUME_FINISHED, /* the job was done to its end */
};

/* What is there to go on with in the job's open folder? Nothing is changed. EXIT_DONE, or the exit
 * code with faults added: the folder is of another job, or damaged. With RESUME_FINISHED, `code` is
 * the exit code of the run that finished it. */
int resume_inspect(const struct job *, enum resume_state *, int *code, struct faults *);

/* Which of the job's images need no look before work: the journal in its folder, which is not open
 * yet, vouches for them, and all that they were made of is as it was. Nothing is changed; where
 * there is no such journal, or its folder is another run's, there is no such image. */
void resume_vouch(const struct job *, struct vouched *);

/* For RESUME_GOES_ON, instead of collect_start: take over what is done, and remove the files of
 * what is not. False with a reason; then it can be tried again. */
bool resume_collect(struct collect *, const struct job *, struct text *why);
