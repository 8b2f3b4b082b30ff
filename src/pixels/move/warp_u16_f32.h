/* warp_u16_f32: pixels of 16 bit or of floats blended from positions in the source, a block at a
 * time; only for warp.c and displace.c. */
#pragma once

#include "pixels/move/warp_spans.h"

/* Where the pixels of a block are in the source, counted from the centres of its pixels. */
struct positions {
    double x[BLOCK], y[BLOCK];
};

/* The first n pixels of a block, to pixel x of row y: as blend_float has them, and blend_careful
 * where taps are outside. All positions are set; those from n on are not used. */
void positions_blend(const struct warp *, const struct positions *, int x, int y, int n);
