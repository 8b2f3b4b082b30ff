/* rle_bits: a mask's bits in memory; not for other modules. */
#pragma once

#include "geom/runs.h"

/* The part of the mask that is not all 0, column by column, one byte per pixel. A zero, for the
 * outside, comes before each column, and a column of zeros before the first one. */
struct block {
    int x0, y0, width, height;
    uint8_t *at;
};

static inline size_t block_stride(const struct block *k)
{
    return (size_t)k->height + 1;
}

static inline size_t block_size(const struct block *k)
{
    return ((size_t)k->width + 1) * block_stride(k);
}

/* Returns a block of these pixels, without their bytes. */
static inline struct block block_around(struct box b)
{
    return (struct block){ (int)b.x0, (int)b.y0, (int)(b.x1 - b.x0), (int)(b.y1 - b.y0), NULL };
}

/* Returns the part of the mask inside the box, which must contain all its ones. The caller frees
 * `at`. */
struct block block_of(const struct rle *, struct box);

static inline bool block_is_set(const struct block *k, struct point p)
{
    /* Written so that NaN counts as outside. */
    if (!(p.x >= k->x0 && p.x < k->x0 + k->width && p.y >= k->y0 && p.y < k->y0 + k->height))
        return false;
    /* Not negative, so this is floor. */
    return k->at[((size_t)((int)p.x - k->x0) + 1) * block_stride(k) + 1 +
                 (size_t)((int)p.y - k->y0)] != 0;
}

/* Returns the mask of `out` with these bits in the box, one byte per pixel, column by column; all
 * other pixels are 0. */
struct rle rle_of_bits(struct arena *, const uint8_t *bit, struct box, struct frame out);
