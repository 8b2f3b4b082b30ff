/* png_unfilter: reverses the filter of a row of a PNG file. */
#include "pixels/codec/png_filters.h"

#include <string.h>

ALWAYS_INLINE void undo_as(enum filter filter, uint8_t *row, const uint8_t *above, size_t length,
                           size_t step)
{
    for (size_t i = 0; i < step; i++)
        row[i] = (uint8_t)(row[i] + predicted(filter, 0, above[i], 0));
    for (size_t i = step; i < length; i++)
        row[i] = (uint8_t)(row[i] + predicted(filter, row[i - step], above[i], above[i - step]));
}

/* Paeth for all bytes of a pixel at once. The next pixel depends on them, and handling the bytes
 * separately would wait longer. */
enum { PIXEL = PNG_BEHIND };
typedef uint8_t pixel_bytes __attribute__((vector_size(PIXEL)));
typedef int16_t pixel_words __attribute__((vector_size(2 * PIXEL)));

ALWAYS_INLINE pixel_words load_pixel(const uint8_t *at)
{
    pixel_bytes bytes;

    memcpy(&bytes, at, PIXEL);
    return __builtin_convertvector(bytes, pixel_words);
}

ALWAYS_INLINE pixel_words distance(pixel_words v)
{
    pixel_words sign = v >> 15;

    return (v ^ sign) - sign;
}

ALWAYS_INLINE void undo_paeth(uint8_t *row, const uint8_t *above, size_t length, size_t step)
{
    pixel_words left = { 0 }, corner = { 0 };

    for (size_t i = 0; i < length; i += step) {
        pixel_words up = load_pixel(above + i), to_left = up - corner, to_up = left - corner;
        pixel_words to_corner = distance(to_left + to_up), use_left, use_up;
        pixel_bytes bytes;

        to_left = distance(to_left);
        to_up = distance(to_up);
        use_left = (to_left <= to_up) & (to_left <= to_corner);
        use_up = ~use_left & (to_up <= to_corner);
        left = (left & use_left) | (up & use_up) | (corner & ~(use_left | use_up));
        left = (load_pixel(row + i) + left) & 255;
        corner = up;
        bytes = __builtin_convertvector(left, pixel_bytes);
        memcpy(row + i, &bytes, step);
    }
}

ALWAYS_INLINE void undo_steps(enum filter filter, uint8_t *row, const uint8_t *above, size_t length,
                              size_t step)
{
    switch (step) {
    case 1:
        undo_as(filter, row, above, length, 1);
        break;
    case 2:
        undo_as(filter, row, above, length, 2);
        break;
    case 3:
        undo_as(filter, row, above, length, 3);
        break;
    case 4:
        undo_as(filter, row, above, length, 4);
        break;
    case 6:
        undo_as(filter, row, above, length, 6);
        break;
    default:
        undo_as(filter, row, above, length, 8);
    }
}

ALWAYS_INLINE void undo_paeths(uint8_t *row, const uint8_t *above, size_t length, size_t step)
{
    switch (step) {
    case 3:
        undo_paeth(row, above, length, 3);
        break;
    case 4:
        undo_paeth(row, above, length, 4);
        break;
    case 6:
        undo_paeth(row, above, length, 6);
        break;
    case 8:
        undo_paeth(row, above, length, 8);
        break;
    default:
        undo_steps(FILTER_PAETH, row, above, length, step);
    }
}

VARIANTS bool png_undo_row(int filter, uint8_t *row, const uint8_t *above, size_t length,
                           size_t step)
{
    switch (filter) {
    case FILTER_NONE:
        return true;
    case FILTER_SUB:
        undo_steps(FILTER_SUB, row, above, length, step);
        return true;
    case FILTER_UP:
        undo_steps(FILTER_UP, row, above, length, step);
        return true;
    case FILTER_AVERAGE:
        undo_steps(FILTER_AVERAGE, row, above, length, step);
        return true;
    case FILTER_PAETH:
        undo_paeths(row, above, length, step);
        return true;
    default:
        return false;
    }
}
