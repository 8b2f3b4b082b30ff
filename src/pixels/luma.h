/* luma: the luma of pixels in bytes, and what is counted of it and of colours, row by row.
 *
 * Luma is (299 R + 587 G + 114 B + 500) / 1000, rounded down (ITU-R BT.601), of planes of one
 * colour the value itself. Of 16 bit the high byte of each sample is taken. Not for float. */
#pragma once

#include "pixels/plane.h"

/* The luma of the plane's width pixels of row y. */
void plane_luma_row(const struct plane *, int y, uint8_t *luma);

/* Does a pixel of the row have two colours that differ by more than `slack` (0 to 255)? */
bool plane_row_is_coloured(const struct plane *, int y, int slack);

/* Does a pixel of the row differ in a colour from the plane's first pixel? */
bool plane_row_is_varied(const struct plane *, int y);

/* Add how many of n bytes have each value: counts[k][v] is a part of value v's count, and the parts
 * are to be added up. At most 2^32 - 1 bytes. */
enum { COUNT_PARTS = 4 };
void bytes_count(const uint8_t *, size_t n, uint32_t counts[COUNT_PARTS][256]);

/* The sum of n bytes. */
uint64_t bytes_sum(const uint8_t *, size_t n);
