/* warp_stepper: takes bytes along an affine row, block by block. The steps from pixel to pixel are
 * the same in all blocks of all rows. Only for warp*.c.
 */
#pragma once

#include "pixels/plane.h"
#include "geom/geom.h"

/* Pixels of a block. The last block of a span may overlap the one before. */
enum { WALK = 32 };

/* Eight pixels side by side are a group, and as many vectors of eight lanes as they have channels:
 * lane k of them all is of pixel k / channels and channel k % channels. Here each vector has the
 * lanes of all groups of a block. The taps of a group's vector lie in sixteen bytes of a row each,
 * `offset` behind the group's least pixel. */
struct walk_lanes {
    uint16_t x[WALK], y[WALK]; /* the part of a pixel that is added to that of the block's first */
    /* The part of a pixel that the lane's pixel is from the group's least. Where the sum of parts
     * is less than it, one was carried: the pixel is a whole one farther than said below. */
    uint16_t x_part[WALK], y_part[WALK];
    uint16_t at[WALK];      /* the bytes of the left and the right tap, behind the offset */
    uint16_t at_next[WALK]; /* the same of a pixel farther */
    uint16_t down[WALK];    /* rows from that of the least pixel */
    size_t offset;
};

struct walk {
    bool allowed;
    uint64_t step[2];      /* x and y from pixel to pixel, in 2^-32 pixel */
    uint32_t far[2][WALK]; /* and from a block's first pixel to each, in 2^-16 pixel, rounded */
    /* Where there are shuffles: */
    bool shuffled; /* taps are picked by them */
    bool gentle;   /* no pixel of a group is two rows down from another */
    struct walk_lanes lanes[4];
    uint32_t least[2][WALK / 8]; /* of each group, how far its least x and y are */
    ptrdiff_t ahead; /* bytes from what a row reads to what one made a little later reads */
    int lowest;      /* from rows below it there may be nothing to read behind taps */
};

/* For a matrix from the output to a plane that is not huge, once for many rows, of which only the
 * offsets of positions differ. Where steps have no room nothing but `allowed`, which is false, is
 * set. */
void walk_begin(struct walk *, const struct plane *in, const struct mat3 *inverse);

/* A span that is neither short nor very long: its end is 2^-18 pixel off at most, a pixel of a
 * block 2^-15 more, of which `limits` keep clear. */
static inline bool walk_allowed(const struct walk *w, int length)
{
    return w->allowed && length >= 2 * WALK && length <= 1 << 14;
}

/* A position that a span begins at, in 2^-32 pixel, such that cutting it off rounds it to 2^-15. */
static inline uint64_t walk_from(double at)
{
    return (uint64_t)(int64_t)(at * 0x1p32) + (1 << 16);
}

/* Where in a span of n pixels the block of pixel i begins. */
static inline int walk_block(int i, int n)
{
    return i < n - WALK ? i : n - WALK;
}

/* The position of pixel i in 2^-16 pixel, x or y, from that of the span's first in 2^-32. */
static inline uint32_t walk_position(const struct walk *w, const uint64_t from[2], int axis, int i)
{
    return (uint32_t)((from[axis] + (uint64_t)i * w->step[axis]) >> 16);
}

/* Bytes of a row that a group takes from, of as many channels as there may be. */
enum { WALK_REACH = 40 };
static inline size_t walk_reach(int channels)
{
    return channels == 1 ? 16 : 8 + 8 * (size_t)channels;
}

/* n >= WALK pixels to `to`, of a walk that is shuffled; from is x and y in 2^-32 pixel. The second
 * only where the processor has CPU_AVX512_VBMI. */
void walk_shuffled(const struct plane *in, const struct walk *, const uint64_t from[2], uint8_t *to,
                   int n);
void walk_shuffled_64(const struct plane *in, const struct walk *, const uint64_t from[2],
                      uint8_t *to, int n);
