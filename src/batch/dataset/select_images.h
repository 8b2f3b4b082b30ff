/* select_images: selects the images of a dataset to process: by name, pattern, list or category. */
#pragma once

#include "batch/dataset/job.h"

#include "param/param.h"

/* Selection rules. An image must meet all rules that are given; an empty list is met by all images.
 * Names on the command line may begin with the image folder. The list separates names by NUL if it
 * has any, else by line ends. All pointers are borrowed. */
struct image_selection {
    struct names include, exclude; /* glob patterns: the name must match one of `include` and must
                                      not match any of `exclude` */
    struct names categories;       /* the image must have an object of one of these */
    const char *const *names;      /* names on the command line, ended by NULL; or NULL */
    const char *list_name;         /* file with more names; NULL: none */
    struct slice list;             /* text of this file */
    /* Results of choice_make for run.json: number of images that the names mean, and a hash of
     * them. */
    size_t n_names;
    uint64_t names_hash;
};

/* Sets the job's `chosen`, `n_records` and `choice`; without any rule, leaves the job unchanged.
 * `chosen` is in the dataset's arena. Returns false with faults: image-unknown, category-unknown,
 * option-unused, images-none. */
bool choice_make(struct image_selection *, struct job *, struct faults *);

/* True if a glob pattern matches the name. A pattern without a slash is compared with the last part
 * of the name. */
bool choice_matches(const struct names *patterns, const char *name);

/* Returns a name of the command line without the image folder, which a shell completes. */
const char *choice_name(const struct job *, const char *word);

/* Appends the selection as JSON; null if all images are selected. */
void choice_print(const struct job *, struct text *);
