/* matrix_u8_avx2: splits colors into words, weighs them, and joins them. Blending with gray is in
 * place: only the gray needs split colors, and one shuffle spreads eight of its words to 24
 * samples. */
#include "pixels/simd/matrix_u8_avx2.h"

#include "pixels/samples.h"
#include "pixels/simd/rgb_avx2.h"

#ifdef CPU_HAS_INTRINSICS

/* Sixteen pixels are three times 16 bytes, and two times eight words of gray. The first eight
 * pixels are in the first two thirds, the others in the last two. Red bytes go to the low halves of
 * words and blue bytes to the high halves, or green bytes to the low halves. The tables have the
 * index of each byte; -1: none. */
static const int8_t RED_BLUE[2][2][16] = {
    { { 0, 2, 3, 5, 6, 8, 9, 11, 12, 14, 15, -1, -1, -1, -1, -1 },
      { -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, 1, 2, 4, 5, 7 } },
    { { 8, 10, 11, 13, 14, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1 },
      { -1, -1, -1, -1, -1, 0, 1, 3, 4, 6, 7, 9, 10, 12, 13, 15 } }
};
static const int8_t GREEN[2][2][16] = {
    { { 1, -1, 4, -1, 7, -1, 10, -1, 13, -1, -1, -1, -1, -1, -1, -1 },
      { -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, 0, -1, 3, -1, 6, -1 } },
    { { 9, -1, 12, -1, 15, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1 },
      { -1, -1, -1, -1, -1, -1, 2, -1, 5, -1, 8, -1, 11, -1, 14, -1 } }
};
/* Spreads eight words, each to the three samples of its pixel. */
static const int8_t SPREAD[3][16] = { { 0, 1, 0, 1, 0, 1, 2, 3, 2, 3, 2, 3, 4, 5, 4, 5 },
                                      { 4, 5, 6, 7, 6, 7, 6, 7, 8, 9, 8, 9, 8, 9, 10, 11 },
                                      { 10, 11, 10, 11, 12, 13, 12, 13, 12, 13, 14, 15, 14, 15, 14,
                                        15 } };

/* For the words of a channel, whose high bytes it becomes: [channel][eight pixels][first or last of
 * their two thirds]. */
#define BYTE_OF(byte, third) ((byte) / 16 == (third) ? (byte) % 16 : -1)
#define WORD_OF(k, b, h, t) -1, BYTE_OF(3 * (8 * (h) + (k)) + (b), (h) + (t))
#define WORDS_OF(b, h, t)                                                                          \
    {                                                                                              \
        WORD_OF(0, b, h, t), WORD_OF(1, b, h, t), WORD_OF(2, b, h, t), WORD_OF(3, b, h, t),        \
            WORD_OF(4, b, h, t), WORD_OF(5, b, h, t), WORD_OF(6, b, h, t), WORD_OF(7, b, h, t)     \
    }
#define CHANNEL_OF(b)                                                                              \
    {                                                                                              \
        { WORDS_OF(b, 0, 0), WORDS_OF(b, 0, 1) },                                                  \
        {                                                                                          \
            WORDS_OF(b, 1, 0), WORDS_OF(b, 1, 1)                                                   \
        }                                                                                          \
    }
static const int8_t CHANNEL[3][2][2][16] = { CHANNEL_OF(0), CHANNEL_OF(1), CHANNEL_OF(2) };

/* Returns the words of all channels for eight pixels of each sixteen, the first or the last, with
 * 2^7 units per level. */
INLINE_FOR_AVX2 void raise_words(const __m256i third[3], int h, __m256i word[3])
{
    for (int b = 0; b < 3; b++)
        word[b] = _mm256_srli_epi16(merged_two(third + h, CHANNEL[b][h]), 1);
}

INLINE_FOR_AVX2 __m256i weighed(const struct fixed_sum *s, const __m256i word[3])
{
    __m256i sum = _mm256_set1_epi16(s->offset);

    for (int b = 0; b < 3; b++)
        sum = _mm256_add_epi16(sum, _mm256_mulhi_epi16(word[b], _mm256_set1_epi16(s->weight[b])));
    return _mm256_sra_epi16(sum, _mm_cvtsi32_si128(s->shift));
}

/* Returns each sum of 32 pixels, as bytes. */
INLINE_FOR_AVX2 void weigh(const struct fixed_sum *sum, size_t sums, const uint8_t *in,
                           __m256i made[])
{
    __m256i third[3], word[2][3];

    thirds_load(in, third);
    raise_words(third, 0, word[0]);
    raise_words(third, 1, word[1]);
    for (size_t k = 0; k < sums; k++)
        made[k] = _mm256_packus_epi16(weighed(&sum[k], word[0]), weighed(&sum[k], word[1]));
}

FOR_AVX2 size_t weigh_one_32(const struct fixed_sum *sum, const uint8_t *in, uint8_t *out, size_t n)
{
    const struct fixed_sum s = *sum;
    size_t i = 0;

    for (; i + 32 <= n; i += 32) {
        __m256i made;

        weigh(&s, 1, in + 3 * i, &made);
        _mm256_storeu_si256((__m256i *)(void *)(out + i), made);
    }
    return i;
}

FOR_AVX2 size_t weigh_all_32(const struct fixed_sum sum[3], const uint8_t *in, uint8_t *out,
                             size_t n)
{
    const struct fixed_sum s[3] = { sum[0], sum[1], sum[2] };
    size_t i = 0;

    for (; i + 32 <= n; i += 32) {
        __m256i channel[3];

        weigh(s, 3, in + 3 * i, channel);
        for (size_t k = 0; k < 3; k++)
            third_store(out + 3 * i, k, merged_three(channel, THIRDS_TOGETHER[k]));
    }
    return i;
}

/* Returns twice the gray's part of each channel in colour_saturate, including the offset. 2989 R +
 * 5870 G + 1140 B is 103 (29 R + 57 G + 11 B) + 2 R - G + 7 B. The sum in parentheses alone gives a
 * gray that is right or one too low. What remains of the whole sum after subtracting 10000 times
 * that gray decides. It is less than 20000, so the lowest 16 bits hold it, whatever overflowed
 * above them. */
INLINE_FOR_AVX2 __m256i twice_gray(const struct fixed_sum *s, __m256i red_blue, __m256i green)
{
    __m256i sum = _mm256_maddubs_epi16(red_blue, _mm256_set1_epi16(11 << 8 | 29)), gray, left;

    sum = _mm256_add_epi16(sum, _mm256_maddubs_epi16(green, _mm256_set1_epi16(57)));
    gray = _mm256_mulhi_epi16(sum, _mm256_set1_epi16(674)); /* less than 2^16 103 / 10000 */
    left = _mm256_maddubs_epi16(red_blue, _mm256_set1_epi16(7 << 8 | 2));
    left = _mm256_sub_epi16(left, green);
    left = _mm256_add_epi16(left, _mm256_mullo_epi16(sum, _mm256_set1_epi16(103)));
    left = _mm256_sub_epi16(left, _mm256_mullo_epi16(gray, _mm256_set1_epi16(10000)));
    gray = _mm256_sub_epi16(gray, _mm256_cmpgt_epi16(left, _mm256_set1_epi16(9999)));
    gray = _mm256_mulhi_epi16(_mm256_slli_epi16(gray, 7), _mm256_set1_epi16(s->weight[1]));
    gray = _mm256_add_epi16(_mm256_set1_epi16(s->offset), gray);
    return _mm256_add_epi16(gray, gray);
}

/* Blends samples in units of 2^-8 level with twice the gray. The sum is on twice the scale too, so
 * its products need not be truncated one by one. The weight is not negative. A sum that exceeds 16
 * bits is above 255 or below 0. */
INLINE_FOR_AVX2 __m256i blended(const struct fixed_sum *s, __m256i samples, __m256i gray)
{
    __m256i v = _mm256_mulhi_epu16(samples, _mm256_set1_epi16(s->weight[0]));

    return _mm256_sra_epi16(_mm256_adds_epi16(gray, v), _mm_cvtsi32_si128(s->shift + 1));
}

FOR_AVX2 size_t blend_gray_32(const struct fixed_sum *sum, const uint8_t *in, uint8_t *out,
                              size_t n)
{
    const struct fixed_sum s = *sum;
    const __m256i none = _mm256_setzero_si256();
    size_t i = 0;

    for (; i + 32 <= n; i += 32, in += 96, out += 96) {
        __m256i third[3], gray[2], half[6];

        thirds_load(in, third);
        for (size_t k = 0; k < 3; k++) {
            half[2 * k] = _mm256_unpacklo_epi8(none, third[k]);
            half[2 * k + 1] = _mm256_unpackhi_epi8(none, third[k]);
        }
        for (size_t h = 0; h < 2; h++) {
            __m256i red_blue = merged_two(third + h, RED_BLUE[h]);
            __m256i green = merged_two(third + h, GREEN[h]);

            gray[h] = twice_gray(&s, red_blue, green);
        }
        for (size_t k = 0; k < 6; k++)
            half[k] = blended(&s, half[k], shuffled(gray[k / 3], SPREAD[k % 3]));
        for (size_t k = 0; k < 3; k++)
            third_store(out, k, _mm256_packus_epi16(half[2 * k], half[2 * k + 1]));
    }
    return i;
}

#else

size_t weigh_one_32(const struct fixed_sum *sum, const uint8_t *in, uint8_t *out, size_t n)
{
    (void)sum, (void)in, (void)out, (void)n;
    return 0;
}

size_t weigh_all_32(const struct fixed_sum sum[3], const uint8_t *in, uint8_t *out, size_t n)
{
    return weigh_one_32(sum, in, out, n);
}

size_t blend_gray_32(const struct fixed_sum *sum, const uint8_t *in, uint8_t *out, size_t n)
{
    return weigh_one_32(sum, in, out, n);
}

#endif
