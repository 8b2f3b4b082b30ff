/* sheet: a contact sheet: chosen images in rows, each as it is and then as its copies will be, with
 * all labels drawn over them. What `run` would write is what is shown: the same code draws it. */
#pragma once

#include "batch/dataset/job.h"

struct sheet {
    const struct job *job; /* include_original: the first column; then `copies` more */
    const size_t *records; /* those to show, in this order */
    size_t n_records;
    int width;         /* of a cell, in pixels */
    const char *title; /* a line above all */
    unsigned across;   /* images beside each other; 0: as many as make the sheet about square */
    bool labels;       /* draw labels over pictures */
    bool reasons;      /* say why objects are dropped */
    double opacity;    /* of what fills outlines and label masks, 0..1 */
};

struct sheet_made {
    struct frame size;
    size_t failed; /* images with a message in place of pictures; each was printed */
};

/* Make the sheet as a PNG in `png` (appended). EXIT_DONE, or an exit code with the reason in `why`.
 * An image that fails ends it, unless the job skips errors. Pictures are decoded in this process.
 */
int sheet_make(const struct sheet *, struct text *png, struct sheet_made *, struct text *why);
