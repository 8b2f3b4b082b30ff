/* preflight_skip: images that the preflight skips: a stopped run has done them, and their inputs
 * have not changed. */
#pragma once

#include "batch/dataset/job.h"
#include "batch/image/report.h"

/* All zero: none. */
struct vouched {
    uint64_t *source; /* of each record of the dataset: a hash of what it was made of; 0: a look */
    size_t *left;     /* the job's records that are to be looked at, in its order */
    size_t n_left;
};

/* None yet, of the job's dataset; then one by one; then `left` is made of the rest. */
void vouched_start(struct vouched *, const struct job *);
void vouched_add(struct vouched *, size_t record, const struct source_key *);
void vouched_end(struct vouched *, const struct job *);
void vouched_drop(struct vouched *);

/* Was it seen that the record is still made of this? NULL: no. */
bool vouched_for(const struct vouched *, size_t record, const struct source_key *);
/* How many of the job's records are to be looked at before work; and the dataset's number of the
 * i-th of them. */
size_t vouched_left(const struct job *);
size_t vouched_record(const struct job *, size_t i);
