/* affine_chain: several affine maps composed into one, for masks; not for other modules.
 *
 * Maps that are applied one after another round a point at each map; the composed map rounds it
 * once. Both find the same pixel, except for points within rounding of a pixel's or a frame's edge.
 * The caller handles such points; for all others a whole column is looked up at once. */
#pragma once

#include "geom/rle_bits.h"

/* Moves, the latest first. */
struct moves {
    const struct rle_moves **at;
    size_t n;
};

enum { AFFINE_CHAIN_SIDES = 16 };

/* The points for which x * (a point's x) + y * (its y) + shift is not negative. */
struct half_plane {
    double x, y, shift;
};

struct affine_chain {
    double m[6];   /* from the last frame to the block's columns and rows; index 0 is outside */
    struct box to; /* whole pixels of the last frame */
    /* The half planes in which a point of `to` must be, so that all maps keep it in their frames
     * and in the block. Half planes that contain all of `to` are left out. */
    struct half_plane side[AFFINE_CHAIN_SIDES];
    size_t n;
    int32_t stride; /* of the block */
};

/* Composes the moves into one map from the pixels of `to` to the block. False when a move is not
 * affine, when there are too many sides, or when rounding could move a point by more than 1e-7
 * pixels. */
bool affine_chain_compose(const struct moves *, const struct block *, struct box to,
                          struct affine_chain *);
/* The bits of column x of `to`, one byte for each of its rows. `place` has room for as many
 * numbers. False when a point lies so near to an edge that the maps must be applied one after
 * another. */
bool affine_chain_column(const struct affine_chain *, const struct block *, int x, int32_t *place,
                         uint8_t *bit);
