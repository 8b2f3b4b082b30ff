/* warp_taps: the taps of one band picked by shuffles, where processors have them. */
#include "warp_loops.h"

#if defined __x86_64__ && defined __GNUC__

#include <immintrin.h>

#define AVX2 __attribute__((target("avx2")))

/* From the first to the last of eight, x may move by 14 and y by 2, whole pixels counted. */
bool taps_are_shuffled(const struct mat3 *inverse)
{
    return __builtin_cpu_supports("avx2") && fabs(inverse->m[0]) < 1.99 &&
           fabs(inverse->m[3]) < 0.28;
}

/* Eight positions as whole pixels from `first` on, as bytes, twice. */
AVX2 static __m128i eight_bytes(const uint32_t *parts, uint32_t first)
{
    __m256i v = _mm256_srli_epi32(_mm256_loadu_si256((const __m256i *)(const void *)parts), 15);
    __m128i words;

    v = _mm256_sub_epi32(v, _mm256_set1_epi32((int)first));
    words = _mm_packus_epi32(_mm256_castsi256_si128(v), _mm256_extracti128_si256(v, 1));
    return _mm_packus_epi16(words, words);
}

/* The left taps of eight pixels, then the right ones, to pairs. */
AVX2 static void store_pairs(uint16_t *to, __m128i taps)
{
    _mm_storeu_si128((__m128i *)(void *)to, _mm_unpacklo_epi8(taps, _mm_srli_si128(taps, 8)));
}

/* Sixteen bytes from (x, y) on, as far as there are so many; rows below the last are not asked. */
AVX2 static __m128i taps_of_row(const struct plane *in, uint32_t x, uint32_t y, __m128i at)
{
    size_t last = (size_t)in->height - 1, row = y < last ? y : last;
    size_t from = row * in->stride + x, end = last * in->stride + (size_t)in->width;
    const uint8_t *px = (const uint8_t *)in->px + from;
    uint8_t rest[16];

    if (__builtin_expect(from + sizeof rest > end, 0)) {
        memset(rest, 0, sizeof rest);
        memcpy(rest, px, from < end ? end - from : 0);
        px = rest;
    }
    return _mm_shuffle_epi8(_mm_loadu_si128((const __m128i *)(const void *)px), at);
}

AVX2 void taps_shuffle(const struct plane *in, const struct block *k, struct four_taps *t)
{
    __m128i right = _mm_set_epi64x(0x0101010101010101, 0);

    for (int i = 0; i < BLOCK; i += 8) {
        uint32_t x = (k->x[i] < k->x[i + 7] ? k->x[i] : k->x[i + 7]) / FINE;
        uint32_t y = (k->y[i] < k->y[i + 7] ? k->y[i] : k->y[i + 7]) / FINE;
        __m128i at = _mm_add_epi8(eight_bytes(k->x + i, x), right), down = eight_bytes(k->y + i, y);
        __m128i one = _mm_cmpgt_epi8(down, _mm_setzero_si128());
        __m128i two = _mm_cmpgt_epi8(down, _mm_set1_epi8(1));
        __m128i row0 = taps_of_row(in, x, y, at), row1 = taps_of_row(in, x, y + 1, at);
        __m128i row2 = taps_of_row(in, x, y + 2, at), row3 = taps_of_row(in, x, y + 3, at);

        row0 = _mm_blendv_epi8(_mm_blendv_epi8(row0, row1, one), row2, two);
        row1 = _mm_blendv_epi8(_mm_blendv_epi8(row1, row2, one), row3, two);
        store_pairs(t->a0 + i, row0);
        store_pairs(t->b0 + i, row1);
    }
}

#else

bool taps_are_shuffled(const struct mat3 *inverse)
{
    (void)inverse;
    return false;
}

void taps_shuffle(const struct plane *in, const struct block *k, struct four_taps *t)
{
    (void)in, (void)k, (void)t;
}

#endif
