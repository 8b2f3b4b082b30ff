/* elements: annotation files read tolerantly: a broken element is a finding, and reading continues
 * after it. */
#pragma once

#include "check/registry.h"

/* A table of labels of images, whose name, index, text and format are set: read as run does. */
void check_walk_table(struct check *, struct annotation_file *);

/* Fill in an annotation file whose name, index, text and format are set: where its elements stand.
 * What is no JSON is reported by the families' `broken`. */
void check_index(struct check *, struct annotation_file *);

/* Then read its elements: ids, names, sizes, categories; call the families' functions for all of
 * them; complete the index. */
void check_walk(struct check *, struct annotation_file *);

/* A folder of labels: open it, its names and files; where its index is wrong it is read without,
 * and `refused` says why. False with faults when it is no folder of labels. */
bool check_open_labels(struct check *, struct annotation_file *, struct faults *refused,
                       struct faults *);
/* Then, when its images were inspected, the same as check_walk. */
void check_walk_labels(struct check *, struct annotation_file *, const struct faults *refused);

/* A hash of an object's outline and keypoints, on top of that of its box. */
uint64_t check_hash_shape(const struct object *, uint64_t box);

/* Memory for the families' states of a file. */
void check_make_states(struct check *, struct annotation_file *);
/* Is a function of the family to be called for elements of the file? */
bool check_family_knows(const struct rule_family *, const struct annotation_file *);
#define FOR_FAMILIES(check, file_, call, ...)                                                      \
    do {                                                                                           \
        size_t at_ = 0;                                                                            \
        for (EACH(rule_family, family, check_families)) {                                          \
            void *state_ = (file_)->state[at_++];                                                  \
                                                                                                   \
            if (family->call && check_family_knows(family, file_))                                 \
                family->call(check, __VA_ARGS__, state_);                                          \
        }                                                                                          \
    } while (0)

/* The annotations of a panoptic file: their images, pictures and segments, as far as run reads
 * them.
 */
void check_walk_segments(struct check *, struct annotation_file *);

/* Report the faults with which run refuses an element: by the rule of each fault's code, unless an
 * error was reported for the element already. */
void check_refused(struct check *, const struct element *, const struct faults *);

/* Inspect the image files of an annotation file as far as the options want it. False with faults.
 */
bool check_inspect(struct check *, struct annotation_file *, struct faults *);
void check_forget_inspection(struct annotation_file *);
