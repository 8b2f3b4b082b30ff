/* skipped_files: files of the image folder that a run skips, counted by kind. */
#pragma once

#include "json/document.h"
#include "batch/io/root.h"

/* Empty if all but the first three members are zero. */
struct skipped_files {
    bool verbose;       /* also keep names */
    const char *folder; /* image folder of the files that are added */
    const char *own[4]; /* files that the command reads for other purposes; they do not count */
    const char *labels; /* suffix of label files, which are counted elsewhere; or NULL */
    struct arena arena;
    struct pile kinds; /* of struct skipped_kind */
    struct pile names; /* of const char * */
    size_t n, hidden;  /* all files; files whose names begin with a dot */
};

/* Adds a file. `image`: it has an image's suffix, and the annotations do not list it. */
void skipped_files_add(struct skipped_files *, const struct walked_file *, bool image);
/* Prints one line with the number of files of each kind to stderr, or nothing if all files are
 * hidden ones. With `verbose`, prints a line per file before. */
void skipped_files_print(struct skipped_files *);
void skipped_files_drop(struct skipped_files *);
