/* matrix_u16: products of pairs of words with the high and low parts of their weights. */
#include "pixels/simd/matrix_u16.h"

#include "pixels/samples.h"
#include "pixels/simd/repeat64.h"
#include "pixels/simd/rgb_avx512.h"

#include <math.h>

bool word_sum_make(const float weight[3], double offset, struct word_sum *s)
{
    double max = offset, min = offset, largest = 0, bound;
    uint32_t highs = 0, lows = 0;

    for (int i = 0; i < 3; i++) {
        double w = (double)weight[i];

        max += w > 0 ? 65535 * w : 0;
        min += w > 0 ? 0 : 65535 * w;
        largest = fmax(largest, fabs(w));
    }
    bound = max > -min ? max : -min;
    for (s->shift = 14; s->shift >= 4; s->shift--)
        if (ldexp(bound + 2, s->shift) < INT32_MAX && ldexp(largest, s->shift) < 32767)
            break;
    if (s->shift < 4)
        return false;
    for (int i = 0; i < 3; i++) {
        int32_t w = (int32_t)lrint(ldexp((double)weight[i], s->shift + 15));
        int32_t high = (w + (1 << 14)) >> 15, low = w - high * (1 << 15);

        s->high[i] = (int16_t)high;
        s->low[i] = (int16_t)low;
        highs += (uint32_t)high;
        lows += (uint32_t)low;
    }
    s->constant =
        (highs << 15) + lows + (uint32_t)lrint(ldexp(offset, s->shift)) + (1u << (s->shift - 1));
    return true;
}

/* 0.2989 R + 0.587 G + 0.114 B, rounded down, minus 2^15. The weights, in units of 2^-30 and
 * rounded up, are slightly too large, but no sum reaches a whole level that the exact one does not.
 */
static const struct word_sum GRAY = {
    .shift = 15,
    .high = { 9794, 19235, 3736 },
    .low = { 11640, -6029, -14680 },
    .constant = ((9794u + 19235 + 3736) << 15) + (11640u - 6029 - 14680) - (1u << 30),
};

ALWAYS_INLINE int16_t from_middle(uint16_t word)
{
    return (int16_t)(word ^ 0x8000);
}

ALWAYS_INLINE int weighed(const struct word_sum *s, int16_t r, int16_t g, int16_t b)
{
    int low = s->low[0] * r + s->low[1] * g + s->low[2] * b;
    uint32_t sum = (uint32_t)(s->high[0] * r) + (uint32_t)(s->high[1] * g);

    sum += (uint32_t)(s->high[2] * b) + s->constant + (uint32_t)(low >> 15);
    return (int)sum >> s->shift;
}

ALWAYS_INLINE uint16_t clamped(int v)
{
    v = v > 0 ? v : 0;
    return (uint16_t)(v < 65535 ? v : 65535);
}

VARIANTS static void weigh_remaining(const struct word_sum sum[3], uint16_t *restrict r,
                                     uint16_t *restrict g, uint16_t *restrict b, size_t n)
{
    const struct word_sum s[3] = { sum[0], sum[1], sum[2] };

    for (size_t i = 0; i < n; i++) {
        int16_t red = from_middle(r[i]), green = from_middle(g[i]), blue = from_middle(b[i]);

        r[i] = clamped(weighed(&s[0], red, green, blue));
        g[i] = clamped(weighed(&s[1], red, green, blue));
        b[i] = clamped(weighed(&s[2], red, green, blue));
    }
}

VARIANTS static void blend_gray_remaining(const struct word_sum *sum, uint16_t *restrict r,
                                          uint16_t *restrict g, uint16_t *restrict b, size_t n)
{
    const struct word_sum s = *sum;

    for (size_t i = 0; i < n; i++) {
        int16_t red = from_middle(r[i]), green = from_middle(g[i]), blue = from_middle(b[i]);
        int16_t gray = (int16_t)weighed(&GRAY, red, green, blue);

        r[i] = clamped(weighed(&s, red, gray, 0));
        g[i] = clamped(weighed(&s, green, gray, 0));
        b[i] = clamped(weighed(&s, blue, gray, 0));
    }
}

#ifdef CPU_HAS_INTRINSICS

/* Packs two signed 16-bit words into one 32-bit number, for a vector of such pairs. */
static inline int both(int16_t first, int16_t second)
{
    return (int)((uint32_t)(uint16_t)second << 16 | (uint16_t)first);
}

/* Returns eight sums, not clamped yet, from words in pairs: red and green, and blue with an ignored
 * word. */
INLINE_FOR_AVX2 __m256i sums_8(const struct word_sum *s, __m256i rg, __m256i b)
{
    __m256i high = _mm256_madd_epi16(rg, _mm256_set1_epi32(both(s->high[0], s->high[1])));
    __m256i low = _mm256_madd_epi16(rg, _mm256_set1_epi32(both(s->low[0], s->low[1])));

    high = _mm256_add_epi32(high, _mm256_madd_epi16(b, _mm256_set1_epi32(both(s->high[2], 0))));
    low = _mm256_add_epi32(low, _mm256_madd_epi16(b, _mm256_set1_epi32(both(s->low[2], 0))));
    high = _mm256_add_epi32(high, _mm256_set1_epi32((int)s->constant));
    return _mm256_add_epi32(high, _mm256_srai_epi32(low, 15));
}

INLINE_FOR_AVX2 __m256i blends_8(const struct word_sum *s, __m256i pair)
{
    __m256i high = _mm256_madd_epi16(pair, _mm256_set1_epi32(both(s->high[0], s->high[1])));
    __m256i low = _mm256_madd_epi16(pair, _mm256_set1_epi32(both(s->low[0], s->low[1])));

    high = _mm256_add_epi32(high, _mm256_set1_epi32((int)s->constant));
    high = _mm256_add_epi32(high, _mm256_srai_epi32(low, 15));
    return _mm256_sra_epi32(high, _mm_cvtsi32_si128(s->shift));
}

INLINE_FOR_AVX2 __m256i words_16(const uint16_t *in)
{
    return _mm256_xor_si256(_mm256_loadu_si256((const __m256i *)(const void *)in),
                            _mm256_set1_epi16((int16_t)0x8000));
}

FOR_AVX2 static size_t weigh_16s(const struct word_sum sum[3], uint16_t *const channel[3], size_t n)
{
    const struct word_sum s[3] = { sum[0], sum[1], sum[2] };
    size_t i = 0;

    for (; i + 16 <= n; i += 16) {
        __m256i r = words_16(channel[0] + i), g = words_16(channel[1] + i);
        __m256i b = words_16(channel[2] + i);
        __m256i rg[2] = { _mm256_unpacklo_epi16(r, g), _mm256_unpackhi_epi16(r, g) };
        __m256i bb[2] = { _mm256_unpacklo_epi16(b, b), _mm256_unpackhi_epi16(b, b) };

        for (int k = 0; k < 3; k++) {
            __m128i shift = _mm_cvtsi32_si128(s[k].shift);
            __m256i first = _mm256_sra_epi32(sums_8(&s[k], rg[0], bb[0]), shift);
            __m256i last = _mm256_sra_epi32(sums_8(&s[k], rg[1], bb[1]), shift);

            _mm256_storeu_si256((__m256i *)(void *)(channel[k] + i),
                                _mm256_packus_epi32(first, last));
        }
    }
    return i;
}

FOR_AVX2 static size_t blend_gray_16s(const struct word_sum *sum, uint16_t *const channel[3],
                                      size_t n)
{
    const struct word_sum s = *sum;
    size_t i = 0;

    for (; i + 16 <= n; i += 16) {
        __m256i v[3] = { words_16(channel[0] + i), words_16(channel[1] + i),
                         words_16(channel[2] + i) };
        __m256i first =
            sums_8(&GRAY, _mm256_unpacklo_epi16(v[0], v[1]), _mm256_unpacklo_epi16(v[2], v[2]));
        __m256i last =
            sums_8(&GRAY, _mm256_unpackhi_epi16(v[0], v[1]), _mm256_unpackhi_epi16(v[2], v[2]));
        __m256i gray =
            _mm256_packs_epi32(_mm256_srai_epi32(first, 15), _mm256_srai_epi32(last, 15));

        for (int k = 0; k < 3; k++)
            _mm256_storeu_si256(
                (__m256i *)(void *)(channel[k] + i),
                _mm256_packus_epi32(blends_8(&s, _mm256_unpacklo_epi16(v[k], gray)),
                                    blends_8(&s, _mm256_unpackhi_epi16(v[k], gray))));
    }
    return i;
}

/* Thirty-two pixels in three registers, and their words in pairs: red and green of the first and
 * last 16, and blue with an ignored word. RED_GREEN[half] has the index of each word, counted from
 * the first register on for the first half and from the second on for the other. Words packed from
 * sums alternate between the halves in groups of four, which LAY[third] takes into account. */
#define PAIRED(k, first) (first) + (k) / 2 * 3 + (k) % 2
#define PACKED(pixel) ((pixel) % 16 / 4 * 8 + (pixel) / 16 * 4 + (pixel) % 4)
#define LAID(k, third) PACKED(THIRD_PIXEL(32, k, third)) + THIRD_GREEN(32, k, third)
static const uint16_t RED_GREEN[2][32] = { THIRTY_TWO(PAIRED, 0), THIRTY_TWO(PAIRED, 16) };
static const uint16_t BLUE[2][32] = { THIRTY_TWO(PAIRED, 2), THIRTY_TWO(PAIRED, 18) };
static const uint16_t LAY[3][32] = { THIRTY_TWO(LAID, 0), THIRTY_TWO(LAID, 1),
                                     THIRTY_TWO(LAID, 2) };

struct pairs_32 {
    __m512i red_green[2], blue[2];
};

FOR_AVX512_VBMI static inline struct pairs_32 pairs_32(const uint16_t *in)
{
    const __m512i middle = _mm512_set1_epi16((int16_t)0x8000);
    __m512i x = _mm512_xor_si512(_mm512_loadu_si512(in), middle);
    __m512i y = _mm512_xor_si512(_mm512_loadu_si512(in + 32), middle);
    __m512i z = _mm512_xor_si512(_mm512_loadu_si512(in + 64), middle);

    return (struct pairs_32){
        { _mm512_permutex2var_epi16(x, _mm512_loadu_si512(RED_GREEN[0]), y),
          _mm512_permutex2var_epi16(y, _mm512_loadu_si512(RED_GREEN[1]), z) },
        { _mm512_permutex2var_epi16(x, _mm512_loadu_si512(BLUE[0]), y),
          _mm512_permutex2var_epi16(y, _mm512_loadu_si512(BLUE[1]), z) },
    };
}

FOR_AVX512_VBMI static inline void lay_32(const __m512i word[3], uint16_t *out)
{
    for (int third = 0; third < 3; third++)
        _mm512_storeu_si512(out + 32 * third,
                            third_of_words(word, third, _mm512_loadu_si512(LAY[third])));
}

FOR_AVX512_VBMI static inline __m512i products(__m512i pair, int16_t first, int16_t second)
{
    return _mm512_madd_epi16(pair, _mm512_set1_epi32(both(first, second)));
}

FOR_AVX512_VBMI static inline __m512i sums_16(const struct word_sum *s, __m512i rg, __m512i b)
{
    __m512i high = products(rg, s->high[0], s->high[1]), low = products(rg, s->low[0], s->low[1]);

    high = _mm512_add_epi32(high, products(b, s->high[2], 0));
    low = _mm512_add_epi32(low, products(b, s->low[2], 0));
    high = _mm512_add_epi32(high, _mm512_set1_epi32((int)s->constant));
    return _mm512_add_epi32(high, _mm512_srai_epi32(low, 15));
}

FOR_AVX512_VBMI static inline __m512i blends_16(const struct word_sum *s, __m512i pair)
{
    __m512i high = products(pair, s->high[0], s->high[1]);
    __m512i low = products(pair, s->low[0], s->low[1]);

    high = _mm512_add_epi32(high, _mm512_set1_epi32((int)s->constant));
    high = _mm512_add_epi32(high, _mm512_srai_epi32(low, 15));
    return _mm512_sra_epi32(high, _mm_cvtsi32_si128(s->shift));
}

FOR_AVX512_VBMI size_t weigh_words_32(const struct word_sum sum[3], const uint16_t *in,
                                      uint16_t *out, size_t n)
{
    const struct word_sum s[3] = { sum[0], sum[1], sum[2] };
    size_t i = 0;

    for (; i + 32 <= n; i += 32) {
        struct pairs_32 p = pairs_32(in + 3 * i);
        __m512i made[3];

        for (int k = 0; k < 3; k++) {
            __m128i shift = _mm_cvtsi32_si128(s[k].shift);
            __m512i first = sums_16(&s[k], p.red_green[0], p.blue[0]);
            __m512i last = sums_16(&s[k], p.red_green[1], p.blue[1]);

            made[k] =
                _mm512_packus_epi32(_mm512_sra_epi32(first, shift), _mm512_sra_epi32(last, shift));
        }
        lay_32(made, out + 3 * i);
    }
    return i;
}

/* The gray is the part of its sum above 2^15: shifted left by one, it is the second word of a
 * pair. */
FOR_AVX512_VBMI size_t blend_gray_words_32(const struct word_sum *sum, const uint16_t *in,
                                           uint16_t *out, size_t n)
{
    const struct word_sum s = *sum;
    const __mmask32 second = 0xaaaaaaaa;
    size_t i = 0;

    for (; i + 32 <= n; i += 32) {
        struct pairs_32 p = pairs_32(in + 3 * i);
        __m512i made[3], half[3][2];

        for (int h = 0; h < 2; h++) {
            __m512i rg = p.red_green[h], b = p.blue[h];
            __m512i gray = _mm512_slli_epi32(sums_16(&GRAY, rg, b), 1);

            half[0][h] = blends_16(&s, _mm512_mask_blend_epi16(second, rg, gray));
            half[1][h] =
                blends_16(&s, _mm512_mask_blend_epi16(second, _mm512_srli_epi32(rg, 16), gray));
            half[2][h] = blends_16(&s, _mm512_mask_blend_epi16(second, b, gray));
        }
        for (int k = 0; k < 3; k++)
            made[k] = _mm512_packus_epi32(half[k][0], half[k][1]);
        lay_32(made, out + 3 * i);
    }
    return i;
}

#else

static size_t weigh_16s(const struct word_sum sum[3], uint16_t *const channel[3], size_t n)
{
    (void)sum, (void)channel, (void)n;
    return 0;
}

static size_t blend_gray_16s(const struct word_sum *sum, uint16_t *const channel[3], size_t n)
{
    return weigh_16s(sum, channel, n);
}

size_t weigh_words_32(const struct word_sum sum[3], const uint16_t *in, uint16_t *out, size_t n)
{
    (void)sum, (void)in, (void)out, (void)n;
    return 0;
}

size_t blend_gray_words_32(const struct word_sum *sum, const uint16_t *in, uint16_t *out, size_t n)
{
    return weigh_words_32(sum, in, out, n);
}

#endif

void weigh_words(const struct word_sum sum[3], uint16_t *restrict r, uint16_t *restrict g,
                 uint16_t *restrict b, size_t n)
{
    size_t done = cpu_has_feature(CPU_AVX2) ? weigh_16s(sum, (uint16_t *const[]){ r, g, b }, n) : 0;

    weigh_remaining(sum, r + done, g + done, b + done, n - done);
}

void blend_gray_words(const struct word_sum *sum, uint16_t *restrict r, uint16_t *restrict g,
                      uint16_t *restrict b, size_t n)
{
    size_t done =
        cpu_has_feature(CPU_AVX2) ? blend_gray_16s(sum, (uint16_t *const[]){ r, g, b }, n) : 0;

    blend_gray_remaining(sum, r + done, g + done, b + done, n - done);
}
