/* relabel: applies steps that change only labels to annotations, without images. */
#pragma once

#include "batch/dataset/job.h"

/* A reason why objects were dropped, and their number. */
struct relabel_reason {
    const char *word;
    size_t n;
};

/* The annotations after the steps. */
struct relabel_result {
    struct text spool; /* changed elements, or label files */
    struct relabel_at
        *at; /* per element of the source list, or per label file: where it is stored */
    size_t n, kept, changed; /* numbers of elements: all, kept, and kept but different */
    struct relabel_reason reason[16];
    size_t n_reasons;
};

/* Checks that each step of the plan changes labels only. Otherwise returns false, with faults in
 * the text of the plan (labels-step). */
bool relabel_check(const struct plan *, struct faults *);

/* Applies the plan of the job to all records of its dataset. If each image has a label file, the
 * image size is read from the image header. Returns false with faults in the text of the dataset. A
 * record cannot be read (image-unread for a header), has no score (score-missing), or a step
 * refuses it (step-refused). */
bool relabel(const struct job *, struct relabel_result *, struct faults *);

/* Appends the whole annotation file. Copies everything but objects unchanged from the source.
 * Returns false with errno. */
bool relabel_print(const struct dataset *, const struct relabel_result *, const struct rules *,
                   struct text *);
/* Returns the label file of a record, for formats with one file per image. It is valid as long as
 * `relabelled`. `at` is NULL if the record gets no file. */
struct slice relabel_file(const struct relabel_result *, size_t record);
void relabel_drop(struct relabel_result *);
