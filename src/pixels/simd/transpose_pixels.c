/* transpose_pixels: turns columns of pixels into rows, a block at a time by shuffles if the
 * processor has them. */
#include "pixels/samples.h"

#ifdef CPU_HAS_INTRINSICS
#include <string.h>

/* Loads four pixels of three bytes, each to 32 bits; no byte after the 12 is read. */
INLINE_FOR_SSSE3 __m128i load_threes(const unsigned char *from)
{
    const __m128i apart = _mm_setr_epi8(0, 1, 2, -1, 3, 4, 5, -1, 6, 7, 8, -1, 9, 10, 11, -1);
    int32_t rest;

    memcpy(&rest, from + 8, sizeof rest);
    return _mm_shuffle_epi8(_mm_unpacklo_epi64(_mm_loadl_epi64((const __m128i *)(const void *)from),
                                               _mm_cvtsi32_si128(rest)),
                            apart);
}

INLINE_FOR_SSSE3 void store_threes(unsigned char *to, __m128i pixels)
{
    const __m128i together = _mm_setr_epi8(0, 1, 2, 4, 5, 6, 8, 9, 10, 12, 13, 14, -1, -1, -1, -1);
    __m128i bytes = _mm_shuffle_epi8(pixels, together);
    int32_t rest = _mm_cvtsi128_si32(_mm_unpackhi_epi64(bytes, bytes));

    _mm_storel_epi64((__m128i *)(void *)to, bytes);
    memcpy(to + 8, &rest, sizeof rest);
}

INLINE_FOR_SSSE3 __m128i load_four(const unsigned char *from, size_t size)
{
    return size == 3 ? load_threes(from) : _mm_loadu_si128((const __m128i *)(const void *)from);
}

INLINE_FOR_SSSE3 void store_four(unsigned char *to, __m128i pixels, size_t size)
{
    if (size == 3)
        store_threes(to, pixels);
    else
        _mm_storeu_si128((__m128i *)(void *)to, pixels);
}

/* Transposes 4 x 4 pixels of three or four bytes. */
INLINE_FOR_SSSE3 void turn_four(const unsigned char *from, ptrdiff_t stride, unsigned char *to,
                                ptrdiff_t to_stride, size_t size)
{
    __m128i a = load_four(from, size), b = load_four(from + stride, size);
    __m128i c = load_four(from + 2 * stride, size), d = load_four(from + 3 * stride, size);
    __m128i ab = _mm_unpacklo_epi32(a, b), cd = _mm_unpacklo_epi32(c, d);

    store_four(to, _mm_unpacklo_epi64(ab, cd), size);
    store_four(to + to_stride, _mm_unpackhi_epi64(ab, cd), size);
    ab = _mm_unpackhi_epi32(a, b);
    cd = _mm_unpackhi_epi32(c, d);
    store_four(to + 2 * to_stride, _mm_unpacklo_epi64(ab, cd), size);
    store_four(to + 3 * to_stride, _mm_unpackhi_epi64(ab, cd), size);
}

INLINE_FOR_SSSE3 __m128i load_eight(const unsigned char *from, size_t size)
{
    const __m128i *at = (const __m128i *)(const void *)from;

    return size == 1 ? _mm_loadl_epi64(at) : _mm_loadu_si128(at);
}

/* Stores two rows of the result. */
INLINE_FOR_SSSE3 void store_two(unsigned char *to, ptrdiff_t stride, __m128i a, __m128i b,
                                size_t size)
{
    __m128i *first = (__m128i *)(void *)to, *second = (__m128i *)(void *)(to + stride);

    if (size == 1) {
        _mm_storel_epi64(first, a);
        _mm_storel_epi64(second, b);
    } else {
        _mm_storeu_si128(first, a);
        _mm_storeu_si128(second, b);
    }
}

/* Transposes 8 x 8 pixels of one byte, in the lower halves. Rows r and r + 4 are interleaved, three
 * times; then a register holds two rows of the result. */
INLINE_FOR_SSSE3 void turn_eight_bytes(const unsigned char *from, ptrdiff_t stride,
                                       unsigned char *to, ptrdiff_t to_stride)
{
    __m128i row[8], half[4], whole[4];

    for (int i = 0; i < 8; i++)
        row[i] = load_eight(from + i * stride, 1);
    for (int i = 0; i < 4; i++) /* pairs of rows 0 4, 1 5, 2 6, 3 7 */
        half[i] = _mm_unpacklo_epi8(row[i], row[i + 4]);
    for (int i = 0; i < 2; i++) { /* 0 2 4 6 and 1 3 5 7, for the first and the last columns */
        whole[i] = _mm_unpacklo_epi8(half[i], half[i + 2]);
        whole[i + 2] = _mm_unpackhi_epi8(half[i], half[i + 2]);
    }
    for (int i = 0; i < 4; i += 2) {
        __m128i first = _mm_unpacklo_epi8(whole[i], whole[i + 1]);
        __m128i last = _mm_unpackhi_epi8(whole[i], whole[i + 1]);
        unsigned char *at = to + 2 * i * to_stride;

        store_two(at, to_stride, first, _mm_unpackhi_epi64(first, first), 1);
        store_two(at + 2 * to_stride, to_stride, last, _mm_unpackhi_epi64(last, last), 1);
    }
}

/* Transposes 8 x 8 pixels of two bytes: rows r and r + 4 are interleaved three times. */
INLINE_FOR_SSSE3 void turn_eight_pairs(const unsigned char *from, ptrdiff_t stride,
                                       unsigned char *to, ptrdiff_t to_stride)
{
    __m128i row[8], mixed[8];

    for (int i = 0; i < 8; i++)
        row[i] = load_eight(from + i * stride, 2);
    for (int times = 0; times < 3; times++) {
        for (int i = 0; i < 4; i++) {
            mixed[2 * i] = _mm_unpacklo_epi16(row[i], row[i + 4]);
            mixed[2 * i + 1] = _mm_unpackhi_epi16(row[i], row[i + 4]);
        }
        memcpy(row, mixed, sizeof row);
    }
    for (int i = 0; i < 8; i += 2)
        store_two(to + i * to_stride, to_stride, row[i], row[i + 1], 2);
}

/* Prefetches a share of the next tile for each `rows` rows written of this tile. The next tile is
 * read below this one and written beside it. Processors predict neither. */
INLINE_FOR_SSSE3 void prefetch_next(const struct transposition *t, size_t y, size_t rows)
{
    enum { LINE = 64 };

    for (size_t i = y; i < y + rows; i++) {
        const unsigned char *from = t->from + (ptrdiff_t)(t->width + i) * t->from_stride;
        const unsigned char *to = t->to + (ptrdiff_t)i * t->to_stride + t->width * t->size;

        for (size_t at = 0; i < t->width && at < t->height * t->size; at += LINE)
            _mm_prefetch((const char *)from + at, _MM_HINT_T0);
        for (size_t at = 0; at < t->width * t->size; at += LINE)
            _mm_prefetch((const char *)to + at, _MM_HINT_T0);
    }
}

/* Loads pixel y of two rows of pixels of six bytes, side by side; two more bytes are read. */
INLINE_FOR_SSSE3 __m128i load_two_sixes(const unsigned char *from, ptrdiff_t stride)
{
    const __m128i together = _mm_setr_epi8(0, 1, 2, 3, 4, 5, 8, 9, 10, 11, 12, 13, -1, -1, -1, -1);
    __m128i first = _mm_loadl_epi64((const __m128i *)(const void *)from);
    __m128i second = _mm_loadl_epi64((const __m128i *)(const void *)(from + stride));

    return _mm_shuffle_epi8(_mm_unpacklo_epi64(first, second), together);
}

/* Transposes pixels of six bytes, four at a time: 24 bytes. The last row is left, since nothing
 * after its pixels may be read. */
FOR_SSSE3 static void turn_sixes(const struct transposition *t)
{
    for (size_t y = 0; y + 1 < t->height; y++) {
        const unsigned char *from = t->from + 6 * y;
        unsigned char *to = t->to + (ptrdiff_t)y * t->to_stride;

        prefetch_next(t, y, 1);
        for (size_t x = 0; x + 4 <= t->width; x += 4, from += 4 * t->from_stride, to += 24) {
            __m128i a = load_two_sixes(from, t->from_stride);
            __m128i b = load_two_sixes(from + 2 * t->from_stride, t->from_stride);

            _mm_storeu_si128((__m128i *)(void *)to, _mm_or_si128(a, _mm_slli_si128(b, 12)));
            _mm_storel_epi64((__m128i *)(void *)(to + 16), _mm_srli_si128(b, 4));
        }
    }
}

INLINE_FOR_SSSE3 void turn_blocks(const struct transposition *t, size_t block, size_t size)
{
    for (size_t y = 0; y + block <= t->height; y += block) {
        prefetch_next(t, y, block);
        for (size_t x = 0; x + block <= t->width; x += block) {
            const unsigned char *from = t->from + (ptrdiff_t)x * t->from_stride + y * size;
            unsigned char *to = t->to + (ptrdiff_t)y * t->to_stride + x * size;

            if (size == 1)
                turn_eight_bytes(from, t->from_stride, to, t->to_stride);
            else if (size == 2)
                turn_eight_pairs(from, t->from_stride, to, t->to_stride);
            else
                turn_four(from, t->from_stride, to, t->to_stride, size);
        }
    }
}

FOR_SSSE3 static void turn_all_blocks(const struct transposition *t)
{
    switch (t->size) {
    case 1:
        turn_blocks(t, 8, 1);
        break;
    case 2:
        turn_blocks(t, 8, 2);
        break;
    case 3:
        turn_blocks(t, 4, 3);
        break;
    default:
        turn_blocks(t, 4, 4);
    }
}

/* Handles the pixels outside the blocks. */
static void turn_one_by_one(const struct transposition *t, size_t x0, size_t x1, size_t y0,
                            size_t y1)
{
    for (size_t y = y0; y < y1; y++)
        for (size_t x = x0; x < x1; x++)
            memcpy(t->to + (ptrdiff_t)y * t->to_stride + x * t->size,
                   t->from + (ptrdiff_t)x * t->from_stride + y * t->size, t->size);
}

bool bytes_transpose(const struct transposition *t)
{
    size_t block = t->size < 3 ? 8 : 4, x = t->width - t->width % block;
    size_t y = t->height - t->height % block;

    if (!cpu_has_feature(CPU_SSSE3))
        return false;
    if (t->size == 6) {
        turn_sixes(t);
        y = t->height - 1;
    } else if (t->size > 4) {
        return false;
    } else {
        turn_all_blocks(t);
    }
    turn_one_by_one(t, x, t->width, 0, y);
    turn_one_by_one(t, 0, t->width, y, t->height);
    return true;
}

#else

bool bytes_transpose(const struct transposition *t)
{
    (void)t;
    return false;
}

#endif
