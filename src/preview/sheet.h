/* sheet: a contact sheet: chosen images in rows, each as it is and then as its copies will be, with
 * all labels drawn over them. What `run` would write is what is shown: the same code draws it. */
#pragma once

#include "../batch/job.h"

struct sheet {
    const struct job *job; /* include_original: the first column; then `copies` more */
    const size_t *records; /* those to show, in this order */
    size_t n_records;
    int width;         /* of a cell, in pixels */
    const char *title; /* a line above all */
};

/* Make the sheet as a PNG in `png` (appended), of the frame `*size`. EXIT_DONE, or an exit code
 * with the reason in `why`. Pictures are decoded in this process. */
int sheet_make(const struct sheet *, struct text *png, struct frame *size, struct text *why);
