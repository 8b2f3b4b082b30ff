/* straight: several affine maps as one, where that makes no difference; not for other modules.
 *
 * A point that goes through maps one after the other is rounded at each of them. That decides
 * nothing but which pixel it is found in, and only next to an edge: everywhere else one map that
 * is composed of all says the same, along a whole column at once. */
#pragma once

#include "block.h"

/* Moves, the latest first. */
struct moves {
    const struct rle_moves **at;
    size_t n;
};

enum { STRAIGHT_SIDES = 16 };

/* Of points for which x * this x + y * this y + shift is not negative. */
struct side {
    double x, y, shift;
};

struct straight {
    double m[6];   /* from the last frame to the block's columns and rows, of which 0 is outside */
    struct box to; /* whole pixels of the last frame */
    struct side
        side[STRAIGHT_SIDES]; /* what a point must be inside of on its way, if it is asked */
    size_t n;
    int32_t stride; /* of the block */
};

/* The way from the pixels of `to` to the block. False when it is not straight, or too long to know
 * that its rounding does not matter. */
bool straight_find(const struct moves *, const struct block *, struct box to, struct straight *);
/* The bits of column x of `to`, a byte for each of its rows, with room for their places. False when
 * a point is so near to an edge that each map must be asked. */
bool straight_column(const struct straight *, const struct block *, int x, int32_t *place,
                     uint8_t *bit);
