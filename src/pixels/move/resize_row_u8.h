/* resize_row_u8: what resize_u8.c and its loops along rows share. */
#pragma once

#include "pixels/move/resize_axis.h"

/* Rows between the two directions are on a scale of 2^SCALE to a level; shares along a row have
 * ALONG bits. */
enum { SCALE = 7, ALONG = 14 };

/* Along a row, output samples are made by sixteen; behind a line there is room for as many, and for
 * what their windows reach. */
enum { LANES = 16, BEHIND = 160 };

/* A group of output samples: what vectors of words take of the source line from `base` on, two for
 * each sample. Further pairs of taps are two pixels on each. */
struct lanes {
    size_t base;
    uint16_t index[2 * LANES];
};

struct resizer_bytes {
    const struct plane *in;
    struct plane *out;
    struct axis x, y;
    size_t left;     /* samples of a source row before those that are needed */
    size_t wide, n;  /* samples needed of a source row, and made of an output row */
    uint16_t *down;  /* y.taps for each output row: shares of 2^15 */
    uint16_t *along; /* 2 * pairs for each output pixel: shares of 2^ALONG */
    int pairs;       /* of taps along a row; the last one's second may be spare */
    uint16_t *line;  /* a row before its pixels are made along it */
    uint16_t *ring;  /* as many rows as an output row needs; NULL when rows go down first */
    int done;        /* source rows that have been in the ring */
    const void **row;
    struct lanes *lanes; /* NULL where processors have no use for them */
    uint16_t *weights;   /* of the lanes: pairs x 32 for each */
    int reach;           /* words that their windows have at most */
    bool half;           /* means of two and two pixels: see resize_half.c */
};

/* For the processor's loops, once `along` is there. */
void resize_along_begin(struct resizer_bytes *);
/* The pixels of a row along a line: to bytes from a line that rows were summed down to, or to words
 * from one of bytes as they are. The line has BEHIND words behind it, and what its pairs reach. */
void resize_along(const struct resizer_bytes *, const uint16_t *line, void *to, bool bytes);
