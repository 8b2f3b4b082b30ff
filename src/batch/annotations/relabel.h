/* relabel: annotations through the steps of a pipeline that change labels alone, without images. */
#pragma once

#include "batch/dataset/job.h"

/* Why objects were dropped, and how many. */
struct relabel_reason {
    const char *word;
    size_t n;
};

/* What became of the annotations. */
struct relabelled {
    struct text spool;       /* elements that are not as they were, or files */
    struct relabel_at *at;   /* where each element of the source's list stands now, or each file */
    size_t n, kept, changed; /* elements; those that stay; and of these, those that differ */
    struct relabel_reason reason[16];
    size_t n_reasons;
};

/* Can each step of the plan be done to labels alone? Else faults in the plan's text (labels-step).
 */
bool relabel_check(const struct plan *, struct faults *);

/* Does the job's plan to all records of its dataset. Where each image has a file of labels, its
 * size is that of the image's header. False with faults in the dataset's text: what cannot be read
 * (image-unread for a header), or has no score (score-missing), or a step cannot be done to
 * (step-refused). */
bool relabel(const struct job *, struct relabelled *, struct faults *);

/* Appends the whole file as it is now: whatever is no object as it stands in the source. False with
 * errno. */
bool relabel_print(const struct dataset *, const struct relabelled *, const struct rules *,
                   struct text *);
/* Where each image has a file of labels: that of a record as it is now, which lasts as long as
 * `relabelled`. `at` is NULL: there is to be none. */
struct slice relabel_file(const struct relabelled *, size_t record);
void relabel_drop(struct relabelled *);
