/* bytes_luma: the luma of pixels of three bytes, summed; where processors have shuffles, eight or
 * sixteen at a time. */
#include "samples.h"
#include "sixty_four.h"

#include <string.h>

static uint64_t add_up(const uint8_t *in, size_t n)
{
    uint64_t sum = 0;

    for (size_t i = 0; i < n; i++, in += 3)
        sum +=
            (unsigned)(int)((float)in[0] * 0.2989f + (float)in[1] * 0.587f + (float)in[2] * 0.114f);
    return sum;
}

#ifdef CPU_HAS_INTRINSICS

/* One channel of the four pixels in each half, weighed. */
INLINE_FOR_AVX2 __m256 weighed(__m256i pixels, int channel, float weight)
{
    const int none = -0x100; /* bytes that become 0 */
    __m256i at = _mm256_setr_epi32(none | channel, none | (channel + 3), none | (channel + 6),
                                   none | (channel + 9), none | channel, none | (channel + 3),
                                   none | (channel + 6), none | (channel + 9));

    return _mm256_mul_ps(_mm256_cvtepi32_ps(_mm256_shuffle_epi8(pixels, at)),
                         _mm256_set1_ps(weight));
}

/* The sum of *n pixels at the most; *n becomes how many they were. The second half of eight is read
 * with four bytes behind it. */
FOR_AVX2 static uint64_t add_up_8(const uint8_t *in, size_t *n)
{
    __m256i sum = _mm256_setzero_si256();
    uint32_t part[8];
    uint64_t all = 0;
    size_t i = 0;

    for (; i + 10 <= *n; i += 8, in += 24) {
        const void *low = in, *high = in + 12;
        __m256i pixels = _mm256_loadu2_m128i(high, low);
        __m256 luma = _mm256_add_ps(weighed(pixels, 0, 0.2989f), weighed(pixels, 1, 0.587f));

        luma = _mm256_add_ps(luma, weighed(pixels, 2, 0.114f));
        sum = _mm256_add_epi32(sum, _mm256_cvttps_epi32(luma));
    }
    *n = i;
    _mm256_storeu_si256((__m256i *)(void *)part, sum);
    for (int k = 0; k < 8; k++)
        all += part[k];
    return all;
}

/* Where a channel of sixteen pixels lies, as words of 32 bits; what is beside it becomes 0. */
#define LUMA_APART(place, channel) 3 * ((place) / 4) + (channel)
static const uint8_t APART[3][64] = { SIXTY_FOUR(LUMA_APART, 0), SIXTY_FOUR(LUMA_APART, 1),
                                      SIXTY_FOUR(LUMA_APART, 2) };

FOR_AVX512_VBMI static inline __m512 weighed_16(__m512i pixels, int channel, float weight)
{
    __m512i at = _mm512_loadu_si512(APART[channel]);
    __m512i level = _mm512_maskz_permutexvar_epi8(0x1111111111111111, at, pixels);

    return _mm512_mul_ps(_mm512_cvtepi32_ps(level), _mm512_set1_ps(weight));
}

/* As add_up_8; sixteen bytes behind sixteen pixels are read, too. */
FOR_AVX512_VBMI static uint64_t add_up_16(const uint8_t *in, size_t *n)
{
    __m512i sum = _mm512_setzero_si512();
    size_t i = 0;

    for (; i + 22 <= *n; i += 16, in += 48) {
        __m512i pixels = _mm512_loadu_si512(in);
        __m512 luma = _mm512_add_ps(weighed_16(pixels, 0, 0.2989f), weighed_16(pixels, 1, 0.587f));

        luma = _mm512_add_ps(luma, weighed_16(pixels, 2, 0.114f));
        sum = _mm512_add_epi32(sum, _mm512_cvttps_epi32(luma));
    }
    *n = i;
    return (uint32_t)_mm512_reduce_add_epi32(sum);
}

static uint64_t add_up_many(const uint8_t *in, size_t *n)
{
    return cpu_has(CPU_AVX512_VBMI) ? add_up_16(in, n) : add_up_8(in, n);
}

uint64_t bytes_luma(const uint8_t *in, size_t n)
{
    enum { MOST = 1 << 20 /* no sum of 32 bits overflows */, REST = 22, READ = 16 + REST };
    uint8_t rest[3 * READ] = { 0 };
    uint64_t sum = 0;
    size_t done;

    if (!cpu_has(CPU_AVX2))
        return add_up(in, n);
    while (n >= REST) {
        done = n < MOST ? n : MOST;
        sum += add_up_many(in, &done);
        in += 3 * done;
        n -= done;
    }
    /* Pixels of zeros behind the last ones add nothing. */
    memcpy(rest, in, 3 * n);
    done = READ;
    return sum + add_up_many(rest, &done);
}

#else

uint64_t bytes_luma(const uint8_t *in, size_t n)
{
    return add_up(in, n);
}

#endif
