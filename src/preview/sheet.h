/* sheet: a contact sheet of chosen images in rows: each image unchanged and then its copies, with
 * all labels drawn over them. The pictures are what `run` would write, since the same code makes
 * them. */
#pragma once

#include "batch/dataset/job.h"

struct sheet {
    const struct job *job; /* include_original: the first column; then `copies` more */
    const size_t *records; /* the images to show, in this order */
    size_t n_records;
    int width;         /* width of a cell, in pixels */
    const char *title; /* a line above all images */
    unsigned across;   /* images per row; 0: as many as make the sheet about square */
    bool labels;       /* draw labels over pictures */
    bool reasons;      /* show why objects are dropped */
    double opacity;    /* opacity of outlines' interior and label masks, 0..1 */
};

struct sheet_result {
    struct frame size;
    size_t failed; /* images with a message instead of pictures; each was printed */
};

/* Appends the sheet to `png` as a PNG. Returns EXIT_DONE, or an exit code with the reason in `why`.
 * An image that fails ends the sheet, unless the job skips errors. Pictures are decoded in this
 * process. */
int sheet_make(const struct sheet *, struct text *png, struct sheet_result *, struct text *why);
