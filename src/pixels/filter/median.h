/* median: medians of large squares by histograms; only for median.c.
 *
 * `wide` is the plane with a border of k / 2 pixels on all sides; k is odd and at most 255. */
#pragma once

#include "pixels/plane.h"

/* 8 bits: keeps histograms of columns and adds the histograms of each square. So the time per pixel
 * does not depend on k. (Perreault and Hebert, Median Filtering in Constant Time, 2007.) */
void median_columns(const struct plane *wide, struct plane *out, int k);

/* 16 bits: moves one histogram along a row and searches for the median from the previous one on
 * (Huang, 1979). */
void median_moving(const struct plane *wide, struct plane *out, int k);
