/* filters: loops over planes that look at what is around a pixel.
 *
 * As in plane.h: `in` and `out` have the same frame, bands and type and do not overlap, and alpha
 * is copied. 8 and 16 bit, not float. Unless it says otherwise, borders are mirrored without
 * repeating the edge, again and again when the kernel is larger than the plane. */
#pragma once

#include "plane.h"

/* Away from a blur: blurred + factor * (pixel - blurred), where blurred is the mean of 3x3 pixels,
 * the middle one counted five times, rounded (torchvision's adjust_sharpness). The outermost pixels
 * stay, so planes of less than 3 rows or columns do. factor >= 0; 0 is the blur. */
void plane_sharpness(const struct plane *in, struct plane *out, float factor);
