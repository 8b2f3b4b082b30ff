/* warp_u16_f32: blends pixels of 16 bits or of floats, a block at a time; only for warp.c and
 * displace.c. */
#pragma once

#include "pixels/move/warp_spans.h"

/* The positions of a block's pixels in the source, relative to pixel centers. */
struct positions {
    double x[BLOCK], y[BLOCK];
};

/* Writes the first n pixels of a block to row y from pixel x on, as blend_float does, or
 * blend_careful if taps are outside. All positions must be set; those from n on are not used.
 */
void positions_blend(const struct warp *, const struct positions *, int x, int y, int n);
