/* resize_half: halves planes of bytes and words by means of two by two pixels, as a bilinear resize
 * without antialias does. */
#include "pixels/move/resize_axis.h"
#include "pixels/samples.h"
#include "pixels/simd/repeat64.h"

static bool takes_means(const struct axis *a, int n)
{
    bool means = a->taps == 2;

    for (int k = 0; means && k < n; k++)
        means = a->weight[2 * k] == 0.5f && a->weight[2 * k + 1] == 0.5f &&
                a->first[k] == a->first[0] + 2 * k;
    return means;
}

bool resize_can_halve(enum pixel_type type)
{
    return cpu_has_feature(CPU_AVX2) && type != PIXEL_F32;
}

bool resize_is_half(enum pixel_type type, const struct axis *x, int width, const struct axis *y,
                    int height)
{
    return resize_can_halve(type) && takes_means(x, width) && takes_means(y, height);
}

#ifdef CPU_HAS_INTRINSICS

/* The order that makes bytes of two neighboring pixels adjacent, for as many whole pixels as fit,
 * for each number of channels. */
#define SIDE(place, channels)                                                                      \
    (place) / 2 / (channels)*2 * (channels) + (place) / 2 % (channels) + (place) % 2 * (channels)
static const uint8_t SIDE_BY_SIDE[4][64] = { SIXTY_FOUR(SIDE, 1), SIXTY_FOUR(SIDE, 2),
                                             SIXTY_FOUR(SIDE, 3), SIXTY_FOUR(SIDE, 4) };

/* The bytes of eight words in that order. */
#define WORD_SIDE(k, channels) 2 * (SIDE((k) / 2, channels)) + (k) % 2
static const uint8_t WORDS_SIDE_BY_SIDE[4][16] = { { SIXTEEN(WORD_SIDE, 0, 1) },
                                                   { SIXTEEN(WORD_SIDE, 0, 2) },
                                                   { SIXTEEN(WORD_SIDE, 0, 3) },
                                                   { SIXTEEN(WORD_SIDE, 0, 4) } };

/* Large planes come from memory: prefetches both rows some lines ahead, so that the sums do not
 * wait. */
ALWAYS_INLINE void prefetch_on(const uint8_t *at)
{
    enum { AHEAD = 1024 };

    _mm_prefetch((const char *)at + AHEAD, _MM_HINT_T0);
}

/* Makes bytes of two neighbors adjacent, for as many whole output pixels as 64 bytes give. One
 * instruction adds them, and those of the row below. The sum of four is exact and therefore rounds
 * like the sums of resize_u8.c. */
FOR_AVX512_VBMI static void halve_64(const uint8_t *above, const uint8_t *below, uint8_t *to,
                                     size_t samples, size_t channels)
{
    const size_t piece = 32 / channels * channels;
    const __m512i one = _mm512_set1_epi8(1), half = _mm512_set1_epi16(2);
    const __m512i order = _mm512_loadu_si512(SIDE_BY_SIDE[channels - 1]);

    for (size_t at = 0; at < samples; at += piece) {
        size_t n = samples - at < piece ? samples - at : piece;
        __mmask64 reads = ~0ull >> (64 - 2 * n);
        __m512i a = _mm512_maskz_loadu_epi8(reads, above + 2 * at);
        __m512i b = _mm512_maskz_loadu_epi8(reads, below + 2 * at);
        prefetch_on(above + 2 * at);
        prefetch_on(below + 2 * at);
        __m512i sum = _mm512_add_epi16(
            _mm512_add_epi16(_mm512_maddubs_epi16(_mm512_permutexvar_epi8(order, a), one),
                             _mm512_maddubs_epi16(_mm512_permutexvar_epi8(order, b), one)),
            half);

        _mm512_mask_cvtepi16_storeu_epi8(to + at, (__mmask32)(~0u >> (32 - n)),
                                         _mm512_srli_epi16(sum, 2));
    }
}

/* The same for two times the whole pixels of 16 bytes. Surplus reads and writes stay inside the
 * row: the last samples, and narrow rows, are done one by one. */
FOR_AVX2 static void halve_16(const uint8_t *above, const uint8_t *below, uint8_t *to,
                              size_t samples, size_t channels)
{
    const size_t piece = 8 / channels * channels;
    const __m256i one = _mm256_set1_epi8(1), half = _mm256_set1_epi16(2);
    const void *side_by_side = SIDE_BY_SIDE[channels - 1];
    const __m256i order = _mm256_broadcastsi128_si256(_mm_loadu_si128(side_by_side));
    size_t at = 0;

    for (; at + 16 <= samples; at += 2 * piece) {
        __m256i a = _mm256_loadu2_m128i((const __m128i *)(const void *)(above + 2 * (at + piece)),
                                        (const __m128i *)(const void *)(above + 2 * at));
        __m256i b = _mm256_loadu2_m128i((const __m128i *)(const void *)(below + 2 * (at + piece)),
                                        (const __m128i *)(const void *)(below + 2 * at));
        __m256i sum = _mm256_add_epi16(
            _mm256_add_epi16(_mm256_maddubs_epi16(_mm256_shuffle_epi8(a, order), one),
                             _mm256_maddubs_epi16(_mm256_shuffle_epi8(b, order), one)),
            half);
        __m256i mean = _mm256_srli_epi16(sum, 2);

        prefetch_on(above + 2 * at);
        prefetch_on(below + 2 * at);
        mean = _mm256_packus_epi16(mean, mean);
        _mm_storel_epi64((__m128i *)(void *)(to + at), _mm256_castsi256_si128(mean));
        _mm_storel_epi64((__m128i *)(void *)(to + at + piece), _mm256_extracti128_si256(mean, 1));
    }
    for (; at < samples; at++) {
        size_t left = at / channels * 2 * channels + at % channels, right = left + channels;

        to[at] = (uint8_t)((above[left] + above[right] + below[left] + below[right] + 2) >> 2);
    }
}

/* Joins words of left and right neighbors, for as many whole pixels as 32 words give, and adds them
 * in 32 bits. The sum is exact and therefore rounds like sums of floats. */
FOR_AVX512_VBMI static __m512i sum_of_two(__m512i order, const uint16_t *from, __mmask32 reads)
{
    __m512i v = _mm512_permutexvar_epi16(order, _mm512_maskz_loadu_epi16(reads, from));

    return _mm512_add_epi32(_mm512_cvtepu16_epi32(_mm512_castsi512_si256(v)),
                            _mm512_cvtepu16_epi32(_mm512_extracti64x4_epi64(v, 1)));
}

FOR_AVX512_VBMI static void halve_words_64(const uint16_t *above, const uint16_t *below,
                                           uint16_t *to, size_t samples, size_t channels)
{
    const size_t piece = 16 / channels * channels;
    uint16_t sides[32] = { 0 };
    __m512i order;

    for (size_t i = 0; i < piece; i++) {
        sides[i] = (uint16_t)(i / channels * 2 * channels + i % channels);
        sides[16 + i] = (uint16_t)(sides[i] + channels);
    }
    order = _mm512_loadu_si512(sides);
    for (size_t at = 0; at < samples; at += piece) {
        size_t n = samples - at < piece ? samples - at : piece;
        __mmask32 reads = ~0u >> (32 - 2 * n);
        __m512i sum = _mm512_add_epi32(sum_of_two(order, above + 2 * at, reads),
                                       sum_of_two(order, below + 2 * at, reads));

        prefetch_on((const uint8_t *)(above + 2 * at));
        prefetch_on((const uint8_t *)(below + 2 * at));
        sum = _mm512_srli_epi32(_mm512_add_epi32(sum, _mm512_set1_epi32(2)), 2);
        _mm512_mask_cvtepi32_storeu_epi16(to + at, (__mmask16)(0xffffu >> (16 - n)), sum);
    }
}

/* Returns the sums of two adjacent words minus 2^16: 2^15 is subtracted from each word, and they
 * are added in pairs. */
INLINE_FOR_AVX2 __m256i sums_of_pairs(const uint16_t *first, const uint16_t *second, __m256i order)
{
    const void *low = first, *high = second;
    __m256i v = _mm256_shuffle_epi8(_mm256_loadu2_m128i(high, low), order);

    return _mm256_madd_epi16(_mm256_xor_si256(v, _mm256_set1_epi16(INT16_MIN)),
                             _mm256_set1_epi16(1));
}

/* The same as halve_16, for words. */
FOR_AVX2 static void halve_words_16(const uint16_t *above, const uint16_t *below, uint16_t *to,
                                    size_t samples, size_t channels)
{
    const size_t piece = 4 / channels * channels;
    const void *side_by_side = WORDS_SIDE_BY_SIDE[channels - 1];
    const __m256i order = _mm256_broadcastsi128_si256(_mm_loadu_si128(side_by_side));
    size_t at = 0;

    for (; at + 8 <= samples; at += 2 * piece) {
        const uint16_t *a = above + 2 * at, *b = below + 2 * at;
        __m256i mean = _mm256_add_epi32(sums_of_pairs(a, a + 2 * piece, order),
                                        sums_of_pairs(b, b + 2 * piece, order));

        prefetch_on((const uint8_t *)a);
        prefetch_on((const uint8_t *)b);
        mean = _mm256_srli_epi32(_mm256_add_epi32(mean, _mm256_set1_epi32((2 << 16) + 2)), 2);
        mean = _mm256_packus_epi32(mean, mean);
        _mm_storel_epi64((__m128i *)(void *)(to + at), _mm256_castsi256_si128(mean));
        _mm_storel_epi64((__m128i *)(void *)(to + at + piece), _mm256_extracti128_si256(mean, 1));
    }
    for (; at < samples; at++) {
        size_t left = at / channels * 2 * channels + at % channels, right = left + channels;
        uint32_t sum = (uint32_t)above[left] + above[right] + below[left] + below[right];

        to[at] = (uint16_t)((sum + 2) >> 2);
    }
}

#endif

void resize_half_row(const struct plane *in, int left, int top, struct plane *out, int y)
{
#ifdef CPU_HAS_INTRINSICS
    size_t channels = (size_t)in->channels, at = (size_t)left * channels;

    if (in->type == PIXEL_U16) {
        (cpu_has_feature(CPU_AVX512_VBMI) ? halve_words_64 : halve_words_16)(
            (const uint16_t *)(const void *)plane_row(in, top) + at,
            (const uint16_t *)(const void *)plane_row(in, top + 1) + at,
            (uint16_t *)(void *)plane_row(out, y), (size_t)out->width * channels, channels);
        return;
    }
    (cpu_has_feature(CPU_AVX512_VBMI) ? halve_64 : halve_16)(
        plane_row(in, top) + at, plane_row(in, top + 1) + at, plane_row(out, y),
        (size_t)out->width * channels, channels);
#else
    (void)in, (void)left, (void)top, (void)out, (void)y; /* resize_is_half returns false */
#endif
}
