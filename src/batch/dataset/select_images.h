/* select_images: which images of a dataset are done: by name, pattern, list or category. */
#pragma once

#include "batch/dataset/job.h"

#include "param/param.h"

/* All that are given must hold of an image; empty lists hold of all. Everything is borrowed. */
struct choice_of_images {
    struct names include, exclude; /* glob patterns: any of these, none of those */
    struct names categories;       /* with an object of any of these */
    const char *const *names;      /* ended by NULL, as is a folder's name before them; or NULL */
    const char *list_name;         /* the file of more names; NULL: there is none */
    struct slice list;             /* its text: a name a line, or ended by NULs if it has any */
    /* What choice_make adds, for run.json: how many images the names mean, and a hash of them. */
    size_t n_names;
    uint64_t names_hash;
};

/* Set the job's `chosen`, `n_records` and `choice`; without any rule it stays as it is. What is
 * chosen lives in the dataset's arena. False with faults: image-unknown, category-unknown,
 * option-unused, images-none. */
bool choice_make(struct choice_of_images *, struct job *, struct faults *);

/* Does any of the glob patterns match the name, or, one without a slash, the name's last part? */
bool choice_matches(const struct names *patterns, const char *name);

/* A name on the command line without the images' folder, which a shell completes. */
const char *choice_name(const struct job *, const char *word);

/* Append it as JSON; null where everything is done. */
void choice_print(const struct job *, struct text *);
