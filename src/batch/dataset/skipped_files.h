/* skipped_files: files of the images' folder that a run does not take, counted by kind. */
#pragma once

#include "json/document.h"
#include "batch/io/root.h"

/* All zero but for the first three is none. */
struct passed {
    bool verbose;       /* keep their names */
    const char *folder; /* of the images: of those that are added */
    const char *own[4]; /* files that the command reads for another reason: they do not count */
    const char *labels; /* the suffix of files of labels, which are counted elsewhere; or NULL */
    struct arena arena;
    struct pile kinds; /* of struct passed_kind */
    struct pile names; /* of const char * */
    size_t n, hidden;  /* all; those whose names begin with a dot */
};

/* `image`: it has an image's suffix, and the annotations do not list it. */
void passed_add(struct passed *, const struct walked *, bool image);
/* One line on stderr: how many of which kind; nothing where there are none but hidden ones. With
 * `verbose`, a line for each file before it. */
void passed_print(struct passed *);
void passed_drop(struct passed *);
