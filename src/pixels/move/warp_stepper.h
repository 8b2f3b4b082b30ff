/* warp_stepper: takes bytes along an affine row, block by block. The steps from pixel to pixel are
 * the same in all blocks of all rows. Only for warp*.c. */
#pragma once

#include "pixels/plane.h"
#include "geom/geom.h"

/* Pixels per block. The last block of a span may overlap the previous one. */
enum { WALK = 32 };

/* Eight adjacent pixels are a group. A group has as many vectors of eight lanes as channels: lane k
 * is pixel k / channels and channel k % channels. In this struct, each vector has the lanes of all
 * groups of a block. The taps of a group's vector are in sixteen bytes of each row, `offset` bytes
 * after the group's pixel of least position. */
struct walk_lanes {
    uint16_t x[WALK],
        y[WALK]; /* the fraction of a pixel to add to the fraction of the block's first pixel */
    /* The distance, as a fraction, of the lane's pixel from the group's least one. If the sum of
     * fractions is less than it, the sum has a carry. Then the pixel is one whole pixel farther
     * than given below. */
    uint16_t x_part[WALK], y_part[WALK];
    uint16_t at[WALK];      /* the bytes of the left and the right tap, after the offset */
    uint16_t at_next[WALK]; /* the same for a pixel farther */
    uint16_t down[WALK];    /* rows below the row of the least pixel */
    size_t offset;
};

struct walk {
    bool allowed;
    uint64_t step[2];      /* x and y from pixel to pixel, in 2^-32 pixel */
    uint32_t far[2][WALK]; /* from a block's first pixel to each pixel, in 2^-16 pixel, rounded */
    /* If the processor has shuffles: */
    bool shuffled; /* they pick the taps */
    bool gentle;   /* no pixel of a group is two rows below another */
    struct walk_lanes lanes[4];
    uint32_t min[2][WALK / 8]; /* for each group, the offset of its least x and y */
    ptrdiff_t ahead;           /* bytes from what a row reads to what a slightly later row reads */
    int lowest;                /* below this row, bytes after taps may be outside the plane */
};

/* Prepares walks for a matrix from the output to a plane that is not huge, once for many rows; only
 * the offsets of rows' positions differ. If steps do not fit, only `allowed` is set, to false. */
void walk_begin(struct walk *, const struct plane *in, const struct mat3 *inverse);

/* True if a span is not too short or too long. Then its end is off by at most 2^-18 pixel, and a
 * pixel of a block by 2^-15 more, which `limits` allow for. */
static inline bool walk_allowed(const struct walk *w, int length)
{
    return w->allowed && length >= 2 * WALK && length <= 1 << 14;
}

/* Returns a span's first position in 2^-32 pixel, such that truncation rounds it to 2^-15. */
static inline uint64_t walk_from(double at)
{
    return (uint64_t)(int64_t)(at * 0x1p32) + (1 << 16);
}

/* Returns the start, in a span of n pixels, of the block of pixel i. */
static inline int walk_block(int i, int n)
{
    return i < n - WALK ? i : n - WALK;
}

/* Returns x or y of pixel i in 2^-16 pixel, from the position of the span's first pixel in
 * 2^-32. */
static inline uint32_t walk_position(const struct walk *w, const uint64_t from[2], int axis, int i)
{
    return (uint32_t)((from[axis] + (uint64_t)i * w->step[axis]) >> 16);
}

/* Bytes of a row that a group reads, maximal for any number of channels. */
enum { WALK_REACH = 40 };
static inline size_t walk_reach(int channels)
{
    return channels == 1 ? 16 : 8 + 8 * (size_t)channels;
}

/* Write n >= WALK pixels to `to`, for a walk with `shuffled`. `from` is x and y in 2^-32 pixel.
 * walk_shuffled_64 only if the processor has CPU_AVX512_VBMI. */
void walk_shuffled(const struct plane *in, const struct walk *, const uint64_t from[2], uint8_t *to,
                   int n);
void walk_shuffled_64(const struct plane *in, const struct walk *, const uint64_t from[2],
                      uint8_t *to, int n);
