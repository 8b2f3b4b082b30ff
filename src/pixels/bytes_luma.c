/* bytes_luma: the luma of pixels of three bytes, summed; where processors have shuffles, eight or
 * sixteen at a time.
 *
 * Luma is floor(0.2989 R + 0.587 G + 0.114 B). Sums of weights in 10000ths are integers
 * below 2^22, which floats hold; times the least float above 1 / 10000 they are cut off to the very
 * integer that dividing gives. torchvision adds up rounded products: of the 2^24 colours 20, whose
 * luma is an integer, come out as one less there. */
#include "samples.h"
#include "sixty_four.h"

#include <string.h>

static uint64_t add_up(const uint8_t *in, size_t n)
{
    uint64_t sum = 0;

    for (size_t i = 0; i < n; i++, in += 3)
        sum += byte_luma(in[0], in[1], in[2]);
    return sum;
}

#ifdef CPU_HAS_INTRINSICS

#define PER_LUMA 0x1.a36e30p-14f

/* The sum of *n pixels at the most; *n becomes how many they were. The second half of eight is read
 * with four bytes behind it. */
FOR_AVX2 static uint64_t add_up_8(const uint8_t *in, size_t *n)
{
    const __m256i red_green = _mm256_broadcastsi128_si256(
        _mm_setr_epi8(0, -1, 1, -1, 3, -1, 4, -1, 6, -1, 7, -1, 9, -1, 10, -1));
    const __m256i blue = _mm256_broadcastsi128_si256(
        _mm_setr_epi8(2, -1, -1, -1, 5, -1, -1, -1, 8, -1, -1, -1, 11, -1, -1, -1));
    const __m256i weights = _mm256_set1_epi32(LUMA_GREEN << 16 | LUMA_RED);
    const __m256i weight = _mm256_set1_epi32(LUMA_BLUE);
    __m256i sum = _mm256_setzero_si256();
    uint32_t part[8];
    uint64_t all = 0;
    size_t i = 0;

    for (; i + 10 <= *n; i += 8, in += 24) {
        const void *low = in, *high = in + 12;
        __m256i pixels = _mm256_loadu2_m128i(high, low);
        __m256i luma =
            _mm256_add_epi32(_mm256_madd_epi16(_mm256_shuffle_epi8(pixels, red_green), weights),
                             _mm256_madd_epi16(_mm256_shuffle_epi8(pixels, blue), weight));

        sum = _mm256_add_epi32(sum, _mm256_cvttps_epi32(_mm256_mul_ps(_mm256_cvtepi32_ps(luma),
                                                                      _mm256_set1_ps(PER_LUMA))));
    }
    *n = i;
    _mm256_storeu_si256((__m256i *)(void *)part, sum);
    for (int k = 0; k < 8; k++)
        all += part[k];
    return all;
}

/* Where the bytes of sixteen pixels lie, each as a word of 32 bits, whose last byte counts for
 * nothing. */
#define LUMA_PIXEL(place, unused) 3 * ((place) / 4) + (place) % 4
static const uint8_t PIXELS[64] = SIXTY_FOUR(LUMA_PIXEL, 0);

/* Weights in two parts that bytes with a sign hold: 128ths, and what is left. */
#define LUMA_PARTS(part) (part(LUMA_BLUE) << 16 | part(LUMA_GREEN) << 8 | part(LUMA_RED))
#define LUMA_HIGH(weight) ((weight) / 128)
#define LUMA_LOW(weight) ((weight) % 128)

/* As add_up_8; sixteen bytes behind sixteen pixels are read, too. */
FOR_AVX512_VBMI2 static uint64_t add_up_16(const uint8_t *in, size_t *n)
{
    const __m512i order = _mm512_loadu_si512(PIXELS);
    const __m512i high = _mm512_set1_epi32(LUMA_PARTS(LUMA_HIGH));
    const __m512i low = _mm512_set1_epi32(LUMA_PARTS(LUMA_LOW));
    __m512i sum = _mm512_setzero_si512();
    size_t i = 0;

    for (; i + 22 <= *n; i += 16, in += 48) {
        __m512i pixels = _mm512_permutexvar_epi8(order, _mm512_loadu_si512(in));
        __m512i luma = _mm512_dpbusd_epi32(_mm512_setzero_si512(), pixels, high);

        luma = _mm512_dpbusd_epi32(_mm512_slli_epi32(luma, 7), pixels, low);
        sum = _mm512_add_epi32(sum, _mm512_cvttps_epi32(_mm512_mul_ps(_mm512_cvtepi32_ps(luma),
                                                                      _mm512_set1_ps(PER_LUMA))));
    }
    *n = i;
    return (uint32_t)_mm512_reduce_add_epi32(sum);
}

static uint64_t add_up_many(const uint8_t *in, size_t *n)
{
    return cpu_has(CPU_AVX512_VBMI2) ? add_up_16(in, n) : add_up_8(in, n);
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
