/* coverage: the share of each pixel that a shape covers, 0..1. Only IEEE operations are used, so
 * that results are equal on every machine. */
#pragma once

#include "pixels/plane.h"

/* Straight parallel streaks of one length and width, in pixels. They point along the unit vector
 * (dx, dy), dy >= 0. Their centers are uniform in the plane, extended as far as streaks reach into
 * it. Philox gives the center of streak i, from the key and the counter (i, 0, 0, 0). */
struct streaks {
    uint32_t key, n;
    double dx, dy, length, width;
};
/* Paints the streaks on a plane of one channel, of any type: the covered share of the full value.
 * Where streaks cross, the larger share counts. A share falls off over one pixel across a streak's
 * edges. */
void cover_streaks(struct plane *, const struct streaks *);

/* Reads the shares of the n pixels of row y from x on in such a plane. */
void cover_load(const struct plane *, int x, int y, int n, float *share);

/* Writes the exact shares of the pixels (0, y), ..., (width - 1, y) inside a closed polygon of
 * either orientation. Parts inside several windings count once. `share` has room for width + 1
 * numbers. */
void cover_polygon(const struct point *, size_t n, int y, int width, float *share);

/* The same for several polygons of one shape. `gain` has `height` rows of width + 1 numbers, zeros
 * at first. cover_add_polygon adds a polygon; at the end, cover_shares converts all to shares. The
 * nonzero winding rule applies: overlaps of one orientation count once, and a polygon of the
 * opposite orientation inside another one makes a hole. */
void cover_add_polygon(const struct point *, size_t n, int width, int height, float *gain);
void cover_shares(int width, int height, float *gain);

/* Writes the shares of the n pixels of row y from x on inside a disc. A share falls off over one
 * pixel. */
struct disc {
    float x, y, radius;
};
void cover_disc(const struct disc *, int x, int y, int n, float *share);
