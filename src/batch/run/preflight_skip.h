/* preflight_skip: images that the preflight skips, since a stopped run has finished them and their
 * inputs have not changed. */
#pragma once

#include "batch/dataset/job.h"
#include "batch/image/report.h"

/* All zero: no image is skipped. */
struct preflight_skip {
    uint64_t *source; /* per record: hash of its inputs; 0: examine it */
    size_t *left;     /* records of the job to examine, in its order */
    size_t n_left;
};

/* preflight_skip_start begins with no skipped image, for the dataset of the job; add each image
 * that can be skipped; preflight_skip_end then lists the remaining ones in `left`. */
void preflight_skip_start(struct preflight_skip *, const struct job *);
void preflight_skip_add(struct preflight_skip *, size_t record, const struct source_key *);
void preflight_skip_end(struct preflight_skip *, const struct job *);
void preflight_skip_drop(struct preflight_skip *);

/* True if the record was added with exactly these inputs. False if the first argument is NULL. */
bool preflight_skip_has_source(const struct preflight_skip *, size_t record,
                               const struct source_key *);
/* preflight_count returns how many records of the job to examine; preflight_record returns the
 * index in the dataset of the i-th of them. */
size_t preflight_count(const struct job *);
size_t preflight_record(const struct job *, size_t i);
