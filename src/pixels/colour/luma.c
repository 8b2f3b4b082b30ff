/* luma: the luma of pixels as bytes, and counts of luma and colors. */
#include "pixels/luma.h"

#include "pixels/samples.h"

#include <stdlib.h>
#include <string.h>

/* Returns the high byte of a sample. */
ALWAYS_INLINE unsigned level(const void *row, enum pixel_type type, size_t i)
{
    return type == PIXEL_U8 ? ((const uint8_t *)row)[i] : ((const uint16_t *)row)[i] >> 8;
}

/* Computes n / 1000 as n / 8 / 125, for n below 256000: 33555 / 2^22 is slightly more than 1 /
 * 125. */
ALWAYS_INLINE uint8_t luma_of(unsigned r, unsigned g, unsigned b)
{
    return (uint8_t)((299u * r + 587u * g + 114u * b + 500) / 8 * 33555 >> 22);
}

ALWAYS_INLINE void luma_row(const void *row, enum pixel_type type, size_t channels, uint8_t *luma,
                            size_t n)
{
    for (size_t x = 0; x < n; x++) {
        size_t i = x * channels;

        luma[x] = channels < 3 ? (uint8_t)level(row, type, i)
                               : luma_of(level(row, type, i), level(row, type, i + 1),
                                         level(row, type, i + 2));
    }
}

ALWAYS_INLINE void luma_row_any(const void *row, enum pixel_type type, int channels, uint8_t *luma,
                                size_t n)
{
    switch (channels) {
    case 1:
        luma_row(row, type, 1, luma, n);
        break;
    case 2:
        luma_row(row, type, 2, luma, n);
        break;
    case 3:
        luma_row(row, type, 3, luma, n);
        break;
    default:
        luma_row(row, type, 4, luma, n);
    }
}

#ifdef CPU_HAS_INTRINSICS

/* Returns two colors of four pixels per half, as words, times their weights. Without a second color
 * its word is 1, times `second`. */
INLINE_FOR_AVX2 __m256i weighed_pair(__m256i pixels, __m256i at, __m256i ones, int first,
                                     int second)
{
    __m256i pair = _mm256_or_si256(_mm256_shuffle_epi8(pixels, at), ones);

    return _mm256_madd_epi16(pair, _mm256_set1_epi32(second << 16 | first));
}

/* Returns 1000 / 8 times the luma of eight pixels. */
INLINE_FOR_AVX2 __m256i eight_lumas(const uint8_t *in)
{
    const __m256i red_green =
        _mm256_setr_epi8(0, -1, 1, -1, 3, -1, 4, -1, 6, -1, 7, -1, 9, -1, 10, -1, 0, -1, 1, -1, 3,
                         -1, 4, -1, 6, -1, 7, -1, 9, -1, 10, -1);
    const __m256i blue =
        _mm256_setr_epi8(2, -1, -1, -1, 5, -1, -1, -1, 8, -1, -1, -1, 11, -1, -1, -1, 2, -1, -1, -1,
                         5, -1, -1, -1, 8, -1, -1, -1, 11, -1, -1, -1);
    const void *low = in, *high = in + 12;
    __m256i pixels = _mm256_loadu2_m128i(high, low);
    __m256i sum =
        _mm256_add_epi32(weighed_pair(pixels, red_green, _mm256_setzero_si256(), 299, 587),
                         weighed_pair(pixels, blue, _mm256_set1_epi32(1 << 16), 114, 500));

    return _mm256_srli_epi32(sum, 3);
}

/* Handles sixteen pixels at a time and returns how many were done. Four bytes after the last pixels
 * are read. */
FOR_AVX2 static size_t luma_16(const uint8_t *in, uint8_t *luma, size_t n)
{
    const __m256i order = _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7);
    size_t x = 0;

    for (; x + 18 <= n; x += 16, in += 48) {
        __m256i words = _mm256_packus_epi32(eight_lumas(in), eight_lumas(in + 24));

        words = _mm256_srli_epi16(_mm256_mulhi_epu16(words, _mm256_set1_epi16((short)33555)), 6);
        words = _mm256_packus_epi16(
            words, words); /* per half: four of the first, then four of the second */
        words = _mm256_permutevar8x32_epi32(words, order);
        _mm_storeu_si128((__m128i *)(void *)(luma + x), _mm256_castsi256_si128(words));
    }
    return x;
}

#else

static size_t luma_16(const uint8_t *in, uint8_t *luma, size_t n)
{
    (void)in;
    (void)luma;
    (void)n;
    return 0;
}

#endif

VARIANTS void plane_luma_row(const struct plane *p, int y, uint8_t *luma)
{
    const unsigned char *row = plane_row(p, y);
    size_t n = (size_t)p->width, done;

    if (p->type == PIXEL_U8 && p->channels == 3 && cpu_has_feature(CPU_AVX2)) {
        done = luma_16(row, luma, n);
        luma_row(row + 3 * done, PIXEL_U8, 3, luma + done, n - done);
    } else if (p->type == PIXEL_U8) {
        luma_row_any(row, PIXEL_U8, p->channels, luma, n);
    } else {
        luma_row_any(row, PIXEL_U16, p->channels, luma, n);
    }
}

/* --- colours --- */

ALWAYS_INLINE bool is_coloured(const void *row, enum pixel_type type, size_t channels, size_t n,
                               int slack)
{
    int max = 0;

    for (size_t x = 0; x < n; x++) {
        int r = (int)level(row, type, x * channels), g = (int)level(row, type, x * channels + 1);
        int b = (int)level(row, type, x * channels + 2);
        int low = r < g ? r : g, high = r < g ? g : r;

        low = low < b ? low : b;
        high = high > b ? high : b;
        max = max > high - low ? max : high - low;
    }
    return max > slack;
}

VARIANTS bool plane_row_is_coloured(const struct plane *p, int y, int slack)
{
    const void *row = plane_row(p, y);
    size_t n = (size_t)p->width;

    if (p->channels < 3)
        return false;
    if (p->type == PIXEL_U8)
        return p->channels == 3 ? is_coloured(row, PIXEL_U8, 3, n, slack)
                                : is_coloured(row, PIXEL_U8, 4, n, slack);
    return p->channels == 3 ? is_coloured(row, PIXEL_U16, 3, n, slack)
                            : is_coloured(row, PIXEL_U16, 4, n, slack);
}

bool plane_row_is_varied(const struct plane *p, int y)
{
    const unsigned char *row = plane_row(p, y), *first = plane_row(p, 0);
    size_t channels = (size_t)p->channels, colours = (size_t)plane_colours(p);

    for (size_t x = 0; x < (size_t)p->width; x++)
        for (size_t b = 0; b < colours; b++)
            if (level(row, p->type, x * channels + b) != level(first, p->type, b))
                return true;
    return false;
}

/* --- counts --- */

/* Adjacent bytes are counted in different parts: an increment of an equal byte need not wait for
 * the previous one. */
void bytes_count(const uint8_t *bytes, size_t n, uint32_t counts[COUNT_PARTS][256])
{
    size_t i = 0;

    for (; i + 8 <= n; i += 8) {
        uint64_t eight;

        memcpy(&eight, bytes + i, sizeof eight);
        for (int k = 0; k < 8; k++)
            counts[k % COUNT_PARTS][eight >> 8 * k & 255]++;
    }
    for (; i < n; i++)
        counts[0][bytes[i]]++;
}
