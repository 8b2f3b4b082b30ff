/* coverage: the share of each pixel that a shape covers, 0..1. Only IEEE operations, so that it
 * is equal on every machine. */
#pragma once

#include "pixels/plane.h"

/* Straight streaks, all parallel, of the same length and width in pixels. They point along the unit
 * vector (dx, dy), dy >= 0. Their middles lie evenly in the plane and as far around it as streaks
 * reach into it: number i where Philox puts it for the key and the counter (i, 0, 0, 0). */
struct streaks {
    uint32_t key, n;
    double dx, dy, length, width;
};
/* A plane of one channel, of any type, painted: the shares of its full value. Where streaks cross,
 * the larger share counts. A share falls over one pixel across a streak's edges. */
void cover_streaks(struct plane *, const struct streaks *);

/* Of the n pixels from (x, y) on: the shares that such a plane has. */
void cover_load(const struct plane *, int x, int y, int n, float *share);

/* Of the pixels (0, y), ..., (width - 1, y): the exact share inside of a polygon, which is closed
 * and turns either way. What it winds around more than once counts once. `share` has room for width
 * + 1 numbers. */
void cover_polygon(const struct point *, size_t n, int y, int width, float *share);

/* The same of several polygons that belong together, in rows of width + 1 numbers, which are zeros
 * at first: cover_note notes what a polygon gains, and cover_shares, at the end, makes shares of
 * that. What lies in several that turn one way counts once; where one turns the other way than what
 * it lies in, there is a hole. */
void cover_note(const struct point *, size_t n, int width, int height, float *gain);
void cover_shares(int width, int height, float *gain);

/* Of the n pixels from (x, y) on: the share inside of a disc, falling over one pixel. */
struct disc {
    float x, y, radius;
};
void cover_disc(const struct disc *, int x, int y, int n, float *share);
