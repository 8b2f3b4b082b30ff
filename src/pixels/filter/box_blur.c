/* box_blur: means over rectangles, by sums that cost the same, or nearly, for all sizes. */
#include "pixels/filters.h"
#include "pixels/samples.h"

#include <stdlib.h>
#include <string.h>

/* Rows of any length are summed in tiles that stay in the nearest cache. */
enum { TILE = 1536 };

static size_t tile_of(size_t at, size_t n)
{
    return n - at < TILE ? n - at : TILE;
}

/* Sums of columns, and of up to half a box's adjacent columns, have 16 bits if they fit, since
 * vectors hold twice as many. Otherwise they have 32. `size` is the number of bytes of a sum. */
enum { SMALL = sizeof(uint16_t), LARGE = sizeof(uint32_t) };

/* True if 16 bits suffice: for bytes and boxes that are not large. Sums of whole boxes are made by
 * one more doubling, in 32 bits, and divided at once. A box has an odd number of pixels N, so a
 * mean differs from a half by at least 1 / 2N. Single precision, off by at most 5e-5, therefore
 * rounds correctly. */
static bool is_small(const struct plane *in, int nx, int ny)
{
    return in->type == PIXEL_U8 && (nx / 2) * ny * 255 <= UINT16_MAX && nx * ny <= 8192 &&
           ny * 255 <= UINT16_MAX;
}

ALWAYS_INLINE void slide_small(uint16_t *restrict sum, const uint8_t *comes, const uint8_t *goes,
                               size_t n)
{
    for (size_t i = 0; i < n; i++)
        sum[i] = (uint16_t)(sum[i] + comes[i] - goes[i]);
}

ALWAYS_INLINE void slide_large(uint32_t *restrict sum, const void *comes, const void *goes,
                               enum pixel_type type, size_t n)
{
    for (size_t i = 0; i < n; i++)
        sum[i] += (uint32_t)(sample_level(comes, type, i) - sample_level(goes, type, i));
}

/* Moves column sums down by one row: `comes` is added, `goes` is subtracted. */
VARIANTS static void slide(void *sum, size_t size, const void *comes, const void *goes,
                           enum pixel_type type, size_t n)
{
    if (size == SMALL)
        slide_small(sum, comes, goes, n);
    else if (type == PIXEL_U8)
        slide_large(sum, comes, goes, PIXEL_U8, n);
    else
        slide_large(sum, comes, goes, PIXEL_U16, n);
}

ALWAYS_INLINE void add_small(const uint16_t *restrict a, const uint16_t *b, const uint16_t *c,
                             uint16_t *restrict to, bool three, size_t n)
{
    for (size_t i = 0; i < n; i++)
        to[i] = (uint16_t)(a[i] + b[i] + (three ? c[i] : 0));
}

ALWAYS_INLINE void add_large(const uint32_t *restrict a, const uint32_t *b, const uint32_t *c,
                             uint32_t *restrict to, bool three, size_t n)
{
    for (size_t i = 0; i < n; i++)
        to[i] = a[i] + b[i] + (three ? c[i] : 0);
}

/* Adds two or three sums for n samples; c may be NULL. */
VARIANTS static void add(const void *a, const void *b, const void *c, void *to, size_t size,
                         size_t n)
{
    if (size == SMALL && c)
        add_small(a, b, c, to, true, n);
    else if (size == SMALL)
        add_small(a, b, c, to, false, n);
    else if (c)
        add_large(a, b, c, to, true, n);
    else
        add_large(a, b, c, to, false, n);
}

/* Sums k / 2 >= 1 adjacent pixels from each pixel on: twice the sums of half as many, plus one
 * pixel if their number is odd. n samples are summed; `to` and `other` have room for them. */
static const uint8_t *half_windows(const uint8_t *line, uint8_t *to, uint8_t *other, size_t size,
                                   int k, size_t channels, size_t n)
{
    const uint8_t *from = line;
    int bit = 1;
    size_t have = 1;

    while (2 * bit <= k / 2)
        bit *= 2;
    while (bit /= 2) {
        uint8_t *free = from == to ? other : to;
        const uint8_t *next = from + have * channels * size;
        bool odd = (k / 2 & bit) != 0;

        have = 2 * have + odd;
        add(from, next, odd ? line + (have - 1) * channels * size : NULL, free, size,
            n - (have - 1) * channels);
        from = free;
    }
    return from;
}

/* Returns the mean of n samples, rounded half up. Below 2^31, single precision gives a quotient
 * that is off by less than 0.02 before truncation, and the remainder tells whether the next integer
 * is nearer. Larger sums go through double precision, after subtracting 2^31: a conversion that all
 * processors have. */
ALWAYS_INLINE uint32_t mean_of(uint32_t sum, int32_t n, double by, bool below_2_31)
{
    int32_t quotient;

    if (!below_2_31)
        return (uint32_t)(int32_t)(((double)(int32_t)(sum - 0x80000000u) + 0x1p31) * by + 0.5);
    quotient = (int32_t)((float)(int32_t)sum * (float)by);
    return (uint32_t)(quotient + (2 * ((int32_t)sum - quotient * n) >= n));
}

ALWAYS_INLINE void divide_small(const uint16_t *half, const uint16_t *next, const uint16_t *last,
                                uint8_t *restrict to, float by, size_t n)
{
    for (size_t i = 0; i < n; i++)
        to[i] = (uint8_t)(int)((float)(half[i] + next[i] + last[i]) * by + 0.5f);
}

ALWAYS_INLINE void divide_large(const uint32_t *half, const uint32_t *next, const uint32_t *last,
                                void *restrict to, enum pixel_type type, int32_t box,
                                bool below_2_31, size_t n)
{
    double by = 1. / box;

    for (size_t i = 0; i < n; i++) {
        uint32_t mean = mean_of(half[i] + next[i] + last[i], box, by, below_2_31);

        if (type == PIXEL_U8)
            ((uint8_t *)to)[i] = (uint8_t)mean;
        else
            ((uint16_t *)to)[i] = (uint16_t)mean;
    }
}

/* Writes means from two half sums and the one column after them, for a box of `box` pixels. */
VARIANTS static void divide(const void *half, const void *next, const void *last, size_t size,
                            void *to, enum pixel_type type, int32_t box, size_t n)
{
    bool below_2_31 = box <= INT32_MAX / (pixel_type_levels(type) - 1);

    if (size == SMALL)
        divide_small(half, next, last, to, 1 / (float)box, n);
    else if (type == PIXEL_U8)
        divide_large(half, next, last, to, PIXEL_U8, box, true, n); /* at most 255 x 255 */
    else if (below_2_31)
        divide_large(half, next, last, to, PIXEL_U16, box, true, n);
    else
        divide_large(half, next, last, to, PIXEL_U16, box, false, n);
}

void plane_box(const struct plane *in, struct plane *out, int nx, int ny)
{
    int half = ny / 2;
    size_t channels = (size_t)in->channels, n = (size_t)in->width * channels;
    size_t size = is_small(in, nx, ny) ? SMALL : LARGE, reach = (size_t)(nx / 2) * channels * size;
    size_t room = (n + (size_t)nx * channels) * size;
    uint8_t *line = memory_take(4 * room), *middle = line + reach;
    const uint8_t *none = line + 3 * room; /* a sum of no columns: zeros */

    memset(line, 0, 4 * room);
    for (int v = -half - 1; v < half; v++)
        slide(middle, size, plane_row(in, mirrored(v, in->height)), none, in->type, n);
    for (int y = 0; y < in->height; y++) {
        slide(middle, size, plane_row(in, mirrored(y + half, in->height)),
              plane_row(in, mirrored(y - half - 1, in->height)), in->type, n);
        row_mirror(middle, channels * size, in->width, nx / 2);
        for (size_t at = 0; at < n; at += TILE) {
            size_t tile = tile_of(at, n);
            const uint8_t *begin = line + at * size, *sums = none;
            uint8_t *to = (uint8_t *)plane_row(out, y) + at * pixel_type_size(out->type);

            if (nx > 1)
                sums = half_windows(begin, line + room, line + 2 * room, size, nx, channels,
                                    tile + 2 * reach / size);
            divide(sums, sums + reach, begin + 2 * reach, size, to, in->type, nx * ny, tile);
        }
        row_copy_alpha(in, out, y);
    }
    free(line);
}
