/* luma_sum_u8: sums the luma of RGB pixels of bytes, eight at a time by shuffles if the processor
 * has them; and sums bytes. Sixteen at a time with AVX-512 are faster alone. But right after a
 * table, a Xeon of 2023 then lowers its clock to 0.95 for milliseconds, and encoding the image
 * takes longer.
 *
 * Luma is floor(0.2989 R + 0.587 G + 0.114 B). Sums with weights in 10000ths are integers below
 * 2^22, which floats hold. Multiplied by the least float above 1 / 10000 and truncated, they give
 * exactly the integer of the division. torchvision adds rounded products: for 20 of the 2^24
 * colors, whose luma is an integer, it gets one less. */
#include "pixels/luma.h"
#include "pixels/samples.h"

#include <string.h>

static uint64_t add_up(const uint8_t *in, size_t n)
{
    uint64_t sum = 0;

    for (size_t i = 0; i < n; i++, in += 3)
        sum += byte_luma(in[0], in[1], in[2]);
    return sum;
}

static uint64_t add_bytes(const uint8_t *bytes, size_t n)
{
    uint64_t sum = 0;

    for (size_t i = 0; i < n; i++)
        sum += bytes[i];
    return sum;
}

#ifdef CPU_HAS_INTRINSICS

/* Sums whole vectors of bytes. */
FOR_AVX2 static uint64_t add_vectors(const uint8_t *bytes, size_t n)
{
    __m256i sum = _mm256_setzero_si256();
    uint64_t part[4];

    for (size_t i = 0; i < n; i += 32) {
        __m256i v = _mm256_loadu_si256((const __m256i *)(const void *)(bytes + i));

        sum = _mm256_add_epi64(sum, _mm256_sad_epu8(v, _mm256_setzero_si256()));
    }
    _mm256_storeu_si256((__m256i *)(void *)part, sum);
    return part[0] + part[1] + part[2] + part[3];
}

uint64_t bytes_sum(const uint8_t *bytes, size_t n)
{
    size_t done = cpu_has_feature(CPU_AVX2) ? n / 32 * 32 : 0;

    return (done ? add_vectors(bytes, done) : 0) + add_bytes(bytes + done, n - done);
}

#define PER_LUMA 0x1.a36e30p-14f

/* Returns the sum for at most *n pixels and sets *n to their number. The second half of eight
 * pixels is read with four bytes after it. */
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

uint64_t bytes_luma(const uint8_t *in, size_t n)
{
    /* No 32-bit sum of MAX_PIXELS pixels overflows. */
    enum { MAX_PIXELS = 1 << 20, MIN_TAIL = 10, READ = 8 + MIN_TAIL };
    uint8_t rest[3 * READ] = { 0 };
    uint64_t sum = 0;
    size_t done;

    if (!cpu_has_feature(CPU_AVX2))
        return add_up(in, n);
    while (n >= MIN_TAIL) {
        done = n < MAX_PIXELS ? n : MAX_PIXELS;
        sum += add_up_8(in, &done);
        in += 3 * done;
        n -= done;
    }
    /* Pixels of zeros after the last ones add nothing. */
    memcpy(rest, in, 3 * n);
    done = READ;
    return sum + add_up_8(rest, &done);
}

#else

uint64_t bytes_sum(const uint8_t *bytes, size_t n)
{
    return add_bytes(bytes, n);
}

uint64_t bytes_luma(const uint8_t *in, size_t n)
{
    return add_up(in, n);
}

#endif
