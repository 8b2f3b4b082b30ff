/* png_filters: the filters of PNG (section 9.2 of its specification), for writing and reading. */
#pragma once

#include "pixels/samples.h"

enum filter { FILTER_NONE, FILTER_SUB, FILTER_UP, FILTER_AVERAGE, FILTER_PAETH, FILTERS };

/* Returns the Paeth predictor (PNG 9.4): whichever of left, above and above left is nearest to left
 * + above - above left. In 16 bits, so that vectors hold as many as possible. */
ALWAYS_INLINE uint8_t paeth(uint8_t left, uint8_t above, uint8_t corner)
{
    int16_t to_left = (int16_t)(above - corner), to_above = (int16_t)(left - corner);
    int16_t to_corner = (int16_t)(to_left + to_above);

    to_left = (int16_t)(to_left < 0 ? -to_left : to_left);
    to_above = (int16_t)(to_above < 0 ? -to_above : to_above);
    to_corner = (int16_t)(to_corner < 0 ? -to_corner : to_corner);
    above = to_above <= to_corner ? above : corner;
    return to_left <= to_above && to_left <= to_corner ? left : above;
}

ALWAYS_INLINE uint8_t predicted(enum filter filter, uint8_t left, uint8_t above, uint8_t corner)
{
    switch (filter) {
    case FILTER_SUB:
        return left;
    case FILTER_UP:
        return above;
    case FILTER_AVERAGE:
        return (uint8_t)((left + above) / 2);
    case FILTER_PAETH:
        return paeth(left, above, corner);
    default:
        return 0;
    }
}

/* Reverses the filter in a row of `length` bytes, in place. `above` is the unfiltered previous row,
 * or zeros. `step` is the distance from a byte to the same byte of the next pixel: 1 to 4, 6 or 8.
 * PNG_BEHIND bytes after both rows may be read. False if there is no such filter. */
enum { PNG_BEHIND = 8 };
bool png_undo_row(int filter, uint8_t *row, const uint8_t *above, size_t length, size_t step);
