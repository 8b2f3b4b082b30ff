/* luma: the luma of pixels as bytes, and counts of luma and colors, row by row.
 *
 * Luma is (299 R + 587 G + 114 B + 500) / 1000, rounded down (ITU-R BT.601). For planes of one
 * color it is the value itself. For 16 bits, the high byte of each sample is used. Not for float.
 */
#pragma once

#include "pixels/plane.h"

/* Writes the luma of the pixels of row y. */
void plane_luma_row(const struct plane *, int y, uint8_t *luma);

/* True if a pixel of the row has two colors that differ by more than `slack` (0 to 255). */
bool plane_row_is_coloured(const struct plane *, int y, int slack);

/* True if a pixel of the row differs in a color from the plane's first pixel. */
bool plane_row_is_varied(const struct plane *, int y);

/* Adds the frequency of each value among n bytes to the counts. The count of value v is the sum of
 * counts[k][v] over k, which lets a loop avoid waiting for its own stores. At most 2^32 - 1 bytes.
 */
enum { COUNT_PARTS = 4 };
void bytes_count(const uint8_t *, size_t n, uint32_t counts[COUNT_PARTS][256]);

/* Returns the sum of n bytes. */
uint64_t bytes_sum(const uint8_t *, size_t n);
