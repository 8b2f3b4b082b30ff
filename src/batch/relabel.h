/* relabel: annotations through the steps of a pipeline that change labels alone, without images. */
#pragma once

#include "../format.h"
#include "../plan/plan.h"

/* Why objects were dropped, and how many. */
struct relabel_reason {
    const char *word;
    size_t n;
};

/* What became of the annotations. */
struct relabelled {
    struct text spool;       /* elements that are not as they were */
    struct relabel_at *at;   /* where each element of the source's list stands now */
    size_t n, kept, changed; /* elements; those that stay; and of these, those that differ */
    struct relabel_reason reason[16];
    size_t n_reasons;
};

/* Can each step of the plan be done to labels alone? Else faults in the plan's text (labels-step).
 */
bool relabel_check(const struct plan *, struct faults *);

/* Does the plan to all records of the dataset, whose format has one file. False with faults in its
 * text: what cannot be read, or has no score (score-missing), or a step cannot be done to
 * (step-refused). */
bool relabel(const struct plan *, const struct dataset *, struct relabelled *, struct faults *);

/* Appends the whole file as it is now: whatever is no object as it stands in the source. False with
 * errno. */
bool relabel_print(const struct dataset *, const struct relabelled *, struct text *);
void relabel_drop(struct relabelled *);
