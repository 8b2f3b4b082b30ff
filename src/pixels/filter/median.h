/* median: medians of large squares by histograms; only for median.c.
 *
 * wide is the plane with k / 2 pixels of border all around; k is odd and at most 255. */
#pragma once

#include "pixels/plane.h"

/* 8 bit, the time a pixel takes being the same for all k: histograms of columns are kept, and each
 * square's is the sum of them (Perreault and Hebert, Median Filtering in Constant Time, 2007). */
void median_columns(const struct plane *wide, struct plane *out, int k);

/* 16 bit: one histogram moves along a row, and the median is looked for from the last one on
 * (Huang, 1979). */
void median_sliding(const struct plane *wide, struct plane *out, int k);
