/* resize_row_u8: the state that resize_u8.c shares with its loops along rows. */
#pragma once

#include "pixels/move/resize_axis.h"

/* Rows between the two directions have 2^SCALE units per level; shares along a row have ALONG
 * bits. */
enum { SCALE = 7, ALONG = 14 };

/* Along a row, output samples are made in groups of sixteen. A line has room after its end for one
 * more group and for all that its windows reach. */
enum { LANES = 16, BEHIND = 160 };

/* A group of output samples: vectors of words take two words for each sample, from `base` in the
 * source line on. Further pairs of taps are two pixels farther each. */
struct lanes {
    size_t base;
    uint16_t index[2 * LANES];
};

struct resizer_bytes {
    const struct plane *in;
    struct plane *out;
    struct axis x, y;
    size_t left;     /* samples of a source row before the needed ones */
    size_t wide, n;  /* needed samples of a source row, samples of an output row */
    uint16_t *down;  /* y.taps for each output row, in units of 2^-15 */
    uint16_t *along; /* 2 * pairs for each output pixel, in units of 2^-ALONG */
    int pairs;       /* of taps along a row; the second tap of the last may be spare */
    uint16_t *line;  /* a row before it is resampled along the row */
    uint16_t *ring;  /* as many rows as an output row needs; NULL if columns are resampled first */
    int done;        /* number of source rows put into the ring so far */
    const void **row;
    struct lanes *lanes; /* NULL if the processor cannot use them */
    uint16_t *weights;   /* of the lanes: pairs x 32 for each */
    int reach;           /* maximal words of their windows */
    bool half;           /* means of two by two pixels, see resize_half.c */
};

/* Prepares the processor's loops, after `along` is set. */
void resize_along_begin(struct resizer_bytes *);
/* Resamples the pixels of a row from a line. It writes bytes from a line of summed rows, or words
 * from a line of source bytes. After the line there is room for BEHIND words and for what its pairs
 * reach. */
void resize_along(const struct resizer_bytes *, const uint16_t *line, void *to, bool bytes);
