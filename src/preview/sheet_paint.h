/* sheet_paint: what the parts of a contact sheet's painter share. */
#pragma once

#include "batch/image/image_job.h"
#include "preview/sheet.h"
#include "preview/sheet_labels.h"

enum {
    MARGIN = 16,     /* around all */
    HEADER = 26,     /* the title's line, with what is below it */
    GAP = 12,        /* between cells of a row */
    ROW_GAP = 12,    /* between rows */
    CAPTION = 46,    /* under a cell: three lines */
    LINE = 14,       /* of a caption, one more, or of the header */
    SWATCH = 10,     /* a square of a label's colour */
    TALLEST_NUM = 4, /* a picture is shown at most 4/3 as high as a cell is wide */
    TALLEST_DEN = 3,
    MOST_SHEET_PIXELS = 100000000,
    FEW_IMAGES = 8,     /* are below each other unless it is asked for otherwise */
    WIDEST_LINE = 4096, /* pixels: the cells of an image that reach beyond it wrap to more lines */
    FEW_CELLS = 6,      /* are beside each other however wide they are */
};

/* One picture of the sheet. */
struct cell {
    struct frame frame, shown; /* the picture's own, and scaled */
    int x, y;
};

struct layout {
    const struct sheet *sheet;
    struct arena arena;
    struct cell *cells;  /* of image after image */
    const char **failed; /* for each image why it failed, or NULL */
    unsigned branches;   /* cells of a copy */
    unsigned columns;    /* cells of an image */
    unsigned per_line;   /* cells of an image that are beside each other */
    unsigned across;     /* images beside each other */
    int caption, header;
    int caption_lines;  /* of the captions, beyond those of all */
    struct frame frame; /* of the sheet */
    bool has_keypoints; /* somewhere */
};

enum seen_label { LABEL_UNSEEN, LABEL_SEEN, LABEL_IGNORED };

/* Which part of the levels, 0..1, an image is shown with: images of 12 bits in samples of 16, and
 * of few levels, would be nearly black. */
struct levels {
    bool stretched;
    double from, to;
};

/* A sheet in work. */
struct painting {
    struct layout *layout;
    struct scratch scratch;
    struct plane canvas;  /* RGB, 8 bit */
    struct text svg;      /* to be laid over it at the end */
    size_t row;           /* which of the chosen images */
    unsigned column;      /* of its cells: where the output in work is */
    unsigned counted;     /* images of the copy in work */
    struct levels levels; /* of the image in work, by its original */
    uint8_t seen[65536];  /* of each label: does some mask have it? enum seen_label */
};

/* Under a picture: what it is, and which ops made it; with `reasons` also why objects are dropped.
 */
void sheet_caption(struct painting *, const struct cell *, const struct rendering *);
/* Returns how many lines the caption of output k has beyond the usual ones. They are for labels of
 * the image that do not fit into the line of its size. */
int sheet_caption_lines(const struct layout *, const struct rendering *);
/* In place of pictures: why the image failed. */
void sheet_failure(struct painting *, const struct cell *, const char *name, const char *why);
/* The title, and what the colours of keypoints and of labels mean where there are any. */
void sheet_header(struct painting *);
