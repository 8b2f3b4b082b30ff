/* manifest_write: prints the manifest, one line of JSON per output. */
#pragma once

#include "batch/dataset/job.h"
#include "plan/reject.h"

/* Output whose line is printed. */
struct manifest_entry {
    const struct job *job;
    size_t record;
    unsigned k;
    const char *output;          /* name below images/ */
    const char *mask;            /* name below masks/, or NULL */
    bool labelled;               /* true: it has a label file */
    const struct sample *sample; /* finalized */
    const struct resolved_ops *resolved_ops;
    struct frame in;
    uint64_t key;
    const struct attempts *attempts; /* or NULL */
};

void manifest_print(const struct manifest_entry *, struct text *);
