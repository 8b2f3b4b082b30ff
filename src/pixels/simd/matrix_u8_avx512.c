/* matrix_u8_avx512: one shuffle per channel splits colors into words, which are weighed; then they
 * are packed and joined by two shuffles. */
#include "pixels/simd/matrix_u8_avx512.h"

#include "pixels/samples.h"
#include "pixels/simd/repeat64.h"
#include "pixels/simd/rgb_avx512.h"

#ifdef CPU_HAS_INTRINSICS

/* Sixty-four pixels in three registers, and their channels in words: the first and the last 32.
 * RAISE[channel][half] has the index of each byte, counted from the first register on for the first
 * half and from the second on for the other. Bytes packed from words alternate between the halves
 * in groups of eight, which LAY[third] takes into account. */
#define RAISED_FIRST(k, channel) (k) / 2 * 3 + (channel)
#define RAISED_LAST(k, channel) (k) / 2 * 3 + (channel) + 32
#define PACKED(pixel) ((pixel) % 32 / 8 * 16 + (pixel) / 32 * 8 + (pixel) % 8)
#define LAID(k, third) PACKED(THIRD_PIXEL(64, k, third)) + THIRD_GREEN(64, k, third)
static const uint8_t RAISE[3][2][64] = {
    { SIXTY_FOUR(RAISED_FIRST, 0), SIXTY_FOUR(RAISED_LAST, 0) },
    { SIXTY_FOUR(RAISED_FIRST, 1), SIXTY_FOUR(RAISED_LAST, 1) },
    { SIXTY_FOUR(RAISED_FIRST, 2), SIXTY_FOUR(RAISED_LAST, 2) },
};
static const uint8_t LAY[3][64] = { SIXTY_FOUR(LAID, 0), SIXTY_FOUR(LAID, 1), SIXTY_FOUR(LAID, 2) };

struct words_64 {
    __m512i channel[3][2];
};

FOR_AVX512_VBMI static inline struct words_64 words_64(const uint8_t *in)
{
    __m512i x = _mm512_loadu_si512(in), y = _mm512_loadu_si512(in + 64);
    __m512i z = _mm512_loadu_si512(in + 128);
    const __mmask64 low = 0x5555555555555555;
    struct words_64 w;

    for (int k = 0; k < 3; k++) {
        w.channel[k][0] =
            _mm512_maskz_permutex2var_epi8(low, x, _mm512_loadu_si512(RAISE[k][0]), y);
        w.channel[k][1] =
            _mm512_maskz_permutex2var_epi8(low, y, _mm512_loadu_si512(RAISE[k][1]), z);
    }
    return w;
}

FOR_AVX512_VBMI static inline void lay_64(const struct words_64 *w, uint8_t *out)
{
    __m512i byte[3];

    for (int k = 0; k < 3; k++)
        byte[k] = _mm512_packus_epi16(w->channel[k][0], w->channel[k][1]);
    for (int third = 0; third < 3; third++)
        _mm512_storeu_si512(out + 64 * third,
                            third_of_bytes(byte, third, _mm512_loadu_si512(LAY[third])));
}

FOR_AVX512_VBMI static inline __m512i product_32(__m512i high, int16_t weight)
{
    return _mm512_mulhi_epi16(high, _mm512_set1_epi16(weight));
}

FOR_AVX512_VBMI size_t weigh_all_64(const struct fixed_sum sum[3], const uint8_t *in, uint8_t *out,
                                    size_t n)
{
    const struct fixed_sum s[3] = { sum[0], sum[1], sum[2] };
    size_t i = 0;

    for (; i + 64 <= n; i += 64) {
        struct words_64 w = words_64(in + 3 * i), made;

        for (int h = 0; h < 2; h++) {
            __m512i r = _mm512_slli_epi16(w.channel[0][h], 7);
            __m512i g = _mm512_slli_epi16(w.channel[1][h], 7);
            __m512i b = _mm512_slli_epi16(w.channel[2][h], 7);

            for (int k = 0; k < 3; k++) {
                __m512i v =
                    _mm512_add_epi16(_mm512_set1_epi16(s[k].offset), product_32(r, s[k].weight[0]));

                v = _mm512_add_epi16(v, product_32(g, s[k].weight[1]));
                v = _mm512_add_epi16(v, product_32(b, s[k].weight[2]));
                made.channel[k][h] = _mm512_sra_epi16(v, _mm_cvtsi32_si128(s[k].shift));
            }
        }
        lay_64(&made, out + 3 * i);
    }
    return i;
}

/* Returns the gray's part of each channel in colour_saturate, including the offset. Truncated
 * products with weights rounded down give a gray that is right or one too low. What remains of 2989
 * R + 5870 G + 1140 B after subtracting 10000 times that gray decides. It is less than 10300, so
 * the lowest 16 bits hold it, whatever overflowed above them. */
FOR_AVX512_VBMI static inline __m512i gray_words(const struct fixed_sum *s, __m512i r, __m512i g,
                                                 __m512i b)
{
    __m512i sum = _mm512_mulhi_epu16(_mm512_slli_epi16(r, 7), _mm512_set1_epi16(19588)), gray, left;

    sum = _mm512_add_epi16(
        sum, _mm512_mulhi_epu16(_mm512_slli_epi16(g, 7), _mm512_set1_epi16((int16_t)38469)));
    sum =
        _mm512_add_epi16(sum, _mm512_mulhi_epu16(_mm512_slli_epi16(b, 7), _mm512_set1_epi16(7471)));
    gray = _mm512_srli_epi16(sum, 7);
    left = _mm512_add_epi16(_mm512_mullo_epi16(r, _mm512_set1_epi16(2989)),
                            _mm512_mullo_epi16(g, _mm512_set1_epi16(5870)));
    left = _mm512_add_epi16(left, _mm512_mullo_epi16(b, _mm512_set1_epi16(1140)));
    left = _mm512_sub_epi16(left, _mm512_mullo_epi16(gray, _mm512_set1_epi16(10000)));
    gray = _mm512_mask_add_epi16(gray, _mm512_cmpgt_epi16_mask(left, _mm512_set1_epi16(9999)), gray,
                                 _mm512_set1_epi16(1));
    return _mm512_add_epi16(_mm512_set1_epi16(s->offset),
                            product_32(_mm512_slli_epi16(gray, 7), s->weight[1]));
}

FOR_AVX512_VBMI size_t blend_gray_64(const struct fixed_sum *sum, const uint8_t *in, uint8_t *out,
                                     size_t n)
{
    const struct fixed_sum s = *sum;
    size_t i = 0;

    for (; i + 64 <= n; i += 64) {
        struct words_64 w = words_64(in + 3 * i);

        for (int h = 0; h < 2; h++) {
            __m512i gray = gray_words(&s, w.channel[0][h], w.channel[1][h], w.channel[2][h]);

            for (int k = 0; k < 3; k++) {
                __m512i v = product_32(_mm512_slli_epi16(w.channel[k][h], 7), s.weight[0]);

                w.channel[k][h] =
                    _mm512_sra_epi16(_mm512_add_epi16(gray, v), _mm_cvtsi32_si128(s.shift));
            }
        }
        lay_64(&w, out + 3 * i);
    }
    return i;
}

#else

size_t weigh_all_64(const struct fixed_sum sum[3], const uint8_t *in, uint8_t *out, size_t n)
{
    (void)sum, (void)in, (void)out, (void)n;
    return 0;
}

size_t blend_gray_64(const struct fixed_sum *sum, const uint8_t *in, uint8_t *out, size_t n)
{
    return weigh_all_64(sum, in, out, n);
}

#endif
