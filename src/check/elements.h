/* elements: reads annotation files tolerantly: a broken element is a finding, and reading continues
 * after it. */
#pragma once

#include "check/registry.h"

struct class_list;
struct job;

/* Reads a table of labels of images, as run does. The file's name, index, text and format must be
 * set. */
void check_walk_table(struct check *, struct annotation_file *);

/* Finds the elements of an annotation file whose name, index, text and format are set. The
 * families' `broken` reports text that is not JSON. */
void check_index(struct check *, struct annotation_file *);

/* Reads the elements: ids, names, sizes, categories. Calls the families' functions for all of them,
 * and completes the index. */
void check_walk(struct check *, struct annotation_file *);

/* Opens a folder of labels with its names and files. If its index is wrong, it is read without, and
 * `refused` says why. Returns false with faults if it is not a folder of labels. */
bool check_open_labels(struct check *, struct annotation_file *, struct faults *refused,
                       struct faults *);
/* Reads the elements of a folder like check_walk, after its images were inspected. */
void check_walk_labels(struct check *, struct annotation_file *, const struct faults *refused);

/* Lists the images of a file without annotations, with their class folders and masks. `refused`
 * gets the images without a class. Returns false with faults if a folder cannot be read. */
bool check_open_listing(struct check *, struct annotation_file *, struct faults *refused,
                        struct faults *);
/* Passes the listed images to the families that handle tables. */
void check_walk_listing(struct check *, struct annotation_file *, const struct faults *refused);
/* Sets the images of a job to those of the file, if this is a part of a dataset. */
void check_take_part(const struct check *, const struct annotation_file *, struct job *,
                     struct dataset *);
/* Reads the file of --classes that belongs to the file; `to` is NULL without one. Returns false
 * with faults. */
bool check_read_classes(struct check *, const struct annotation_file *,
                        const struct class_list **to, struct faults *);

/* Returns a hash of an object's outline and keypoints; `box` is the hash of its box. */
uint64_t check_hash_shape(const struct object *, uint64_t box);

/* Allocates the families' states for a file. */
void check_make_states(struct check *, struct annotation_file *);
/* True if the family's functions must be called for elements of the file. */
bool family_handles_file(const struct rule_family *, const struct annotation_file *);
#define FOR_FAMILIES(check, file_, call, ...)                                                      \
    do {                                                                                           \
        size_t at_ = 0;                                                                            \
        for (EACH(rule_family, family, check_families)) {                                          \
            void *state_ = (file_)->state[at_++];                                                  \
                                                                                                   \
            if (family->call && family_handles_file(family, file_))                                \
                family->call(check, __VA_ARGS__, state_);                                          \
        }                                                                                          \
    } while (0)

/* Reads the annotations of a panoptic file: their images, pictures and segments, as far as run
 * reads them. */
void check_walk_segments(struct check *, struct annotation_file *);

/* Reports the faults with which run refuses an element, by the rule of each fault's code. Does
 * nothing if an error was already reported for the element. */
void check_refused(struct check *, const struct element *, const struct faults *);

/* Inspects the image files of an annotation file as far as the options require. Returns false with
 * faults. */
bool check_inspect(struct check *, struct annotation_file *, struct faults *);
/* Opens a folder or archive of images. Returns false with faults if it cannot be read. */
bool check_open_images(const char *path, struct faults *);
void check_forget_inspection(struct annotation_file *);
