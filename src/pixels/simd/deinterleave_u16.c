/* deinterleave_u16: splits pixels of three or four words into channels, and joins them. Pixels of
 * three words are done 16 or 32 at a time by shuffles, if the processor has them. */
#include "pixels/simd/deinterleave_u16.h"

#include "pixels/samples.h"
#include "pixels/simd/repeat64.h"
#include "pixels/simd/rgb_avx512.h"

/* Handles pixels [begin, n). */
ALWAYS_INLINE void pick_words(const uint16_t *in, size_t step, uint16_t *const channel[3],
                              size_t begin, size_t n)
{
    for (size_t i = begin; i < n; i++)
        for (size_t b = 0; b < 3; b++)
            channel[b][i] = in[step * i + b];
}

ALWAYS_INLINE void put_words(const uint16_t *const channel[3], uint16_t *out, size_t step,
                             size_t begin, size_t n)
{
    for (size_t i = begin; i < n; i++)
        for (size_t b = 0; b < 3; b++)
            out[step * i + b] = channel[b][i];
}

#ifdef CPU_HAS_INTRINSICS

/* Handles two times eight pixels, one set per half of the registers, as deinterleave_u8.c does for
 * 32. A channel has every third word. The first register begins with a word of the channel; the
 * second has one at its second place, the third at its third. So two blends put eight words of a
 * channel into one register, and the shuffle APART[channel] orders them. To join, the shuffle
 * TOGETHER[channel] comes first. */
#define BYTE_APART(k, channel) 2 * ((3 * ((k) / 2) + (channel)) % 8) + (k) % 2
#define BYTE_TOGETHER(k, channel) 2 * (3 * ((k) / 2 + 8 - (channel)) % 8) + (k) % 2
#define BYTES_OF(f, channel)                                                                       \
    {                                                                                              \
        SIXTEEN(f, 0, channel)                                                                     \
    }
static const uint8_t APART_8[3][16] = { BYTES_OF(BYTE_APART, 0), BYTES_OF(BYTE_APART, 1),
                                        BYTES_OF(BYTE_APART, 2) };
static const uint8_t TOGETHER_8[3][16] = { BYTES_OF(BYTE_TOGETHER, 0), BYTES_OF(BYTE_TOGETHER, 1),
                                           BYTES_OF(BYTE_TOGETHER, 2) };

/* Blends every third word of the three registers, starting with the first word of the first, second
 * or third one. */
INLINE_FOR_AVX2 void choose_thirds(const __m256i from[3], __m256i to[3])
{
    to[0] = _mm256_blend_epi16(_mm256_blend_epi16(from[0], from[1], 0x92), from[2], 0x24);
    to[1] = _mm256_blend_epi16(_mm256_blend_epi16(from[0], from[1], 0x24), from[2], 0x49);
    to[2] = _mm256_blend_epi16(_mm256_blend_epi16(from[0], from[1], 0x49), from[2], 0x92);
}

INLINE_FOR_AVX2 __m256i shuffled(__m256i v, const uint8_t at[16])
{
    __m128i one = _mm_loadu_si128((const __m128i *)(const void *)at);

    return _mm256_shuffle_epi8(v, _mm256_broadcastsi128_si256(one));
}

INLINE_FOR_AVX2 void channels_of_16(const uint16_t *in, __m256i channel[3])
{
    __m256i part[3], chosen[3];

    for (size_t third = 0; third < 3; third++) {
        const void *low = in + 8 * third, *high = in + 24 + 8 * third;

        part[third] = _mm256_loadu2_m128i(high, low);
    }
    choose_thirds(part, chosen);
    for (int b = 0; b < 3; b++)
        channel[b] = shuffled(chosen[b], APART_8[b]);
}

/* Handles pixels from i on and returns the end. */
FOR_AVX2 static size_t pick_16s(const uint16_t *in, uint16_t *const channel[3], size_t i, size_t n)
{
    for (; i + 16 <= n; i += 16) {
        __m256i v[3];

        channels_of_16(in + 3 * i, v);
        for (int b = 0; b < 3; b++)
            _mm256_storeu_si256((__m256i *)(void *)(channel[b] + i), v[b]);
    }
    return i;
}

FOR_AVX2 static size_t put_16s(const uint16_t *const channel[3], uint16_t *out, size_t i, size_t n)
{
    for (; i + 16 <= n; i += 16) {
        __m256i part[3], chosen[3];

        for (int b = 0; b < 3; b++)
            part[b] = shuffled(_mm256_loadu_si256((const __m256i *)(const void *)(channel[b] + i)),
                               TOGETHER_8[b]);
        choose_thirds(part, chosen);
        for (size_t third = 0; third < 3; third++) {
            void *low = out + 3 * i + 8 * third, *high = out + 3 * i + 24 + 8 * third;

            _mm256_storeu2_m128i(high, low, chosen[third]);
        }
    }
    return i;
}

/* Handles thirty-two pixels in three registers, as deinterleave_u8.c does for 64. Words from the
 * third register come by a mask. */
#define WORD_APART(k, channel) 3 * (k) + (channel)
#define WORD_TOGETHER(k, third) THIRD_PIXEL(32, k, third) + THIRD_GREEN(32, k, third)
static const uint16_t WORDS_APART[3][32] = { THIRTY_TWO(WORD_APART, 0), THIRTY_TWO(WORD_APART, 1),
                                             THIRTY_TWO(WORD_APART, 2) };
static const uint16_t WORDS_TOGETHER[3][32] = { THIRTY_TWO(WORD_TOGETHER, 0),
                                                THIRTY_TWO(WORD_TOGETHER, 1),
                                                THIRTY_TWO(WORD_TOGETHER, 2) };
static const uint32_t WORDS_APART_THIRD[3] = { ~0u << 22, ~0u << 21, ~0u << 21 };

/* Returns one channel of the pixels in three registers. */
FOR_AVX512_VBMI static inline __m512i channel_of_32(__m512i x, __m512i y, __m512i z, int channel)
{
    __m512i at = _mm512_loadu_si512(WORDS_APART[channel]);

    return _mm512_mask_permutexvar_epi16(_mm512_permutex2var_epi16(x, at, y),
                                         WORDS_APART_THIRD[channel], at, z);
}

FOR_AVX512_VBMI static size_t pick_32s(const uint16_t *in, uint16_t *const channel[3], size_t n)
{
    size_t i = 0;

    for (; i + 32 <= n; i += 32) {
        __m512i x = _mm512_loadu_si512(in + 3 * i), y = _mm512_loadu_si512(in + 3 * i + 32);
        __m512i z = _mm512_loadu_si512(in + 3 * i + 64);

        for (int b = 0; b < 3; b++)
            _mm512_storeu_si512(channel[b] + i, channel_of_32(x, y, z, b));
    }
    return i;
}

FOR_AVX512_VBMI static size_t put_32s(const uint16_t *const channel[3], uint16_t *out, size_t n)
{
    size_t i = 0;

    for (; i + 32 <= n; i += 32) {
        __m512i rgb[3];

        for (int b = 0; b < 3; b++)
            rgb[b] = _mm512_loadu_si512(channel[b] + i);
        for (int third = 0; third < 3; third++) {
            __m512i at = _mm512_loadu_si512(WORDS_TOGETHER[third]);

            _mm512_storeu_si512(out + 3 * i + 32 * third, third_of_words(rgb, third, at));
        }
    }
    return i;
}

/* Returns half the words of v as floats: the first half for 0, the last for 1. */
FOR_AVX512_VBMI static inline __m512 floats_of(__m512i v, int half)
{
    __m256i words = half ? _mm512_extracti64x4_epi64(v, 1) : _mm512_castsi512_si256(v);

    return _mm512_cvtepi32_ps(_mm512_cvtepu16_epi32(words));
}

FOR_AVX512_VBMI static size_t luma_32s(const uint16_t *in, uint16_t *out, size_t n)
{
    size_t i = 0;

    for (; i + 32 <= n; i += 32) {
        __m512i x = _mm512_loadu_si512(in + 3 * i), y = _mm512_loadu_si512(in + 3 * i + 32);
        __m512i z = _mm512_loadu_si512(in + 3 * i + 64), v[3];

        for (int b = 0; b < 3; b++)
            v[b] = channel_of_32(x, y, z, b);
        for (int half = 0; half < 2; half++) {
            __m512 sum = _mm512_mul_ps(_mm512_set1_ps(0.299f), floats_of(v[0], half));

            sum = _mm512_add_ps(sum, _mm512_mul_ps(_mm512_set1_ps(0.587f), floats_of(v[1], half)));
            sum = _mm512_add_ps(sum, _mm512_mul_ps(_mm512_set1_ps(0.114f), floats_of(v[2], half)));
            sum = _mm512_min_ps(sum, _mm512_set1_ps(65535));
            sum = _mm512_add_ps(sum, _mm512_set1_ps(0.5f));
            _mm256_storeu_si256((__m256i *)(void *)(out + i + 16 * half),
                                _mm512_cvtepi32_epi16(_mm512_cvttps_epi32(sum)));
        }
    }
    return i;
}

/* Returns eight of a channel's 16 words, the first or the last ones, as floats times its weight. */
INLINE_FOR_AVX2 __m256 weighed_half(__m256i words, int half, float weight)
{
    __m128i eight = half ? _mm256_extracti128_si256(words, 1) : _mm256_castsi256_si128(words);

    return _mm256_mul_ps(_mm256_cvtepi32_ps(_mm256_cvtepu16_epi32(eight)), _mm256_set1_ps(weight));
}

FOR_AVX2 static size_t luma_16s(const uint16_t *in, uint16_t *out, size_t i, size_t n)
{
    for (; i + 16 <= n; i += 16) {
        __m256i channel[3], luma[2];

        channels_of_16(in + 3 * i, channel);
        for (int half = 0; half < 2; half++) {
            __m256 sum = weighed_half(channel[0], half, 0.299f);

            sum = _mm256_add_ps(sum, weighed_half(channel[1], half, 0.587f));
            sum = _mm256_add_ps(sum, weighed_half(channel[2], half, 0.114f));
            sum = _mm256_min_ps(sum, _mm256_set1_ps(65535));
            luma[half] = _mm256_cvttps_epi32(_mm256_add_ps(sum, _mm256_set1_ps(0.5f)));
        }
        _mm256_storeu_si256((__m256i *)(void *)(out + i),
                            _mm256_permute4x64_epi64(_mm256_packus_epi32(luma[0], luma[1]), 0xd8));
    }
    return i;
}

size_t words_luma(const uint16_t *in, uint16_t *out, size_t n)
{
    size_t done = cpu_has_feature(CPU_AVX512_VBMI) ? luma_32s(in, out, n) : 0;

    return cpu_has_feature(CPU_AVX2) ? luma_16s(in, out, done, n) : done;
}

#else

size_t words_luma(const uint16_t *in, uint16_t *out, size_t n)
{
    (void)in, (void)out, (void)n;
    return 0;
}

static size_t pick_16s(const uint16_t *in, uint16_t *const channel[3], size_t i, size_t n)
{
    (void)in, (void)channel, (void)n;
    return i;
}

static size_t pick_32s(const uint16_t *in, uint16_t *const channel[3], size_t n)
{
    return pick_16s(in, channel, 0, n);
}

static size_t put_16s(const uint16_t *const channel[3], uint16_t *out, size_t i, size_t n)
{
    (void)channel, (void)out, (void)n;
    return i;
}

static size_t put_32s(const uint16_t *const channel[3], uint16_t *out, size_t n)
{
    return put_16s(channel, out, 0, n);
}

#endif

void words_deinterleave(const uint16_t *in, size_t step, uint16_t *const channel[3], size_t n)
{
    size_t done = 0;

    if (step == 4) {
        pick_words(in, 4, channel, 0, n);
        return;
    }
    if (cpu_has_feature(CPU_AVX512_VBMI))
        done = pick_32s(in, channel, n);
    if (cpu_has_feature(CPU_AVX2))
        done = pick_16s(in, channel, done, n);
    pick_words(in, 3, channel, done, n);
}

void words_interleave(const uint16_t *const channel[3], uint16_t *out, size_t step, size_t n)
{
    size_t done = 0;

    if (step == 4) {
        put_words(channel, out, 4, 0, n);
        return;
    }
    if (cpu_has_feature(CPU_AVX512_VBMI))
        done = put_32s(channel, out, n);
    if (cpu_has_feature(CPU_AVX2))
        done = put_16s(channel, out, done, n);
    put_words(channel, out, 3, done, n);
}
