/* sheet_paint: shared by the files that draw a contact sheet. */
#pragma once

#include "batch/image/image_job.h"
#include "preview/sheet.h"
#include "preview/sheet_labels.h"

enum {
    MARGIN = 16,     /* around the sheet */
    HEADER = 26,     /* the title's line, and the legends below it */
    GAP = 12,        /* between cells of a row */
    ROW_GAP = 12,    /* between rows */
    CAPTION = 46,    /* below a cell: three lines */
    LINE = 14,       /* one more line of a caption or the header */
    SWATCH = 10,     /* side of the square with a label's color */
    TALLEST_NUM = 4, /* a picture is at most 4/3 as high as a cell is wide */
    TALLEST_DEN = 3,
    MAX_SHEET_PIXELS = 100000000,
    FEW_IMAGES = 8,     /* by default, so few images are in one column */
    WIDEST_LINE = 4096, /* pixels; wider rows of an image's cells wrap to more lines */
    FEW_CELLS = 6,      /* so few cells never wrap */
};

/* A picture of the sheet. */
struct cell {
    struct frame frame, shown; /* the picture's own size, and its size on the sheet */
    int x, y;
};

struct layout {
    const struct sheet *sheet;
    struct arena arena;
    struct cell *cells;  /* all cells of the first image, then of the second, ... */
    const char **failed; /* for each image the reason why it failed, or NULL */
    unsigned branches;   /* cells per copy */
    unsigned columns;    /* cells per image */
    unsigned per_line;   /* cells of an image per line */
    unsigned across;     /* images per row */
    int caption, header;
    int caption_lines;  /* lines of captions beyond the three of all */
    struct frame frame; /* of the sheet */
    bool has_keypoints; /* some sample has keypoints */
};

enum seen_label { LABEL_UNSEEN, LABEL_SEEN, LABEL_IGNORED };

/* The part of the levels, 0..1, that is shown. Without it, images with 12 bits in 16-bit samples
 * and images with few levels would be nearly black. */
struct levels {
    bool stretched;
    double from, to;
};

/* A sheet that is being drawn. */
struct sheet_painter {
    struct layout *layout;
    struct scratch scratch;
    struct plane canvas;  /* RGB, 8 bit */
    struct text svg;      /* drawn over the canvas in the end */
    size_t row;           /* index of the chosen image */
    unsigned column;      /* cell of the current output among the image's cells */
    unsigned counted;     /* images of the current copy so far */
    struct levels levels; /* of the current image, from its original */
    uint8_t seen[65536];  /* for each label, whether a mask has it: enum seen_label */
};

/* Draws the caption below a picture: its name, size and ops; with `reasons`, also why objects are
 * dropped. */
void sheet_caption(struct sheet_painter *, const struct cell *, const struct pending_output *);
/* Returns the number of lines that a caption has in addition to the usual ones. They are for labels
 * of the image that do not fit into the line of its size. */
int sheet_caption_lines(const struct layout *, const struct pending_output *);
/* Draws the reason why an image failed in place of its pictures. */
void sheet_failure(struct sheet_painter *, const struct cell *, const char *name, const char *why);
/* Draws the title, and legends of the colors of keypoints and of labels. */
void sheet_header(struct sheet_painter *);
