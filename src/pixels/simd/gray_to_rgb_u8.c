/* gray_to_rgb_u8: writes each byte three times, to turn gray into three colors. */
#include "pixels/samples.h"
#include "pixels/simd/repeat64.h"

static void spread(const uint8_t *in, uint8_t *out, size_t n)
{
    for (size_t i = 0; i < n; i++)
        out[3 * i] = out[3 * i + 1] = out[3 * i + 2] = in[i];
}

#ifdef CPU_HAS_INTRINSICS

/* The source index of each byte, for 64 pixels in three registers, or for 32 in three of half the
 * width. Halves of the latter have sixteen sources each. */
#define SOURCE_64(k, third) (64 * (third) + (k)) / 3
#define SOURCE_16(k, third) (32 * (third) + (k)) / 3 % 16
static const uint8_t FROM_64[3][64] = { SIXTY_FOUR(SOURCE_64, 0), SIXTY_FOUR(SOURCE_64, 1),
                                        SIXTY_FOUR(SOURCE_64, 2) };
static const uint8_t FROM_16[3][32] = { THIRTY_TWO(SOURCE_16, 0), THIRTY_TWO(SOURCE_16, 1),
                                        THIRTY_TWO(SOURCE_16, 2) };

FOR_AVX512_VBMI static size_t spread_sixty_fours(const uint8_t *in, uint8_t *out, size_t n)
{
    __m512i from[3];
    size_t i = 0;

    for (int third = 0; third < 3; third++)
        from[third] = _mm512_loadu_si512(FROM_64[third]);
    for (; i + 64 <= n; i += 64) {
        __m512i x = _mm512_loadu_si512(in + i);

        prefetch_written(out + 3 * i, 192);
        for (size_t third = 0; third < 3; third++)
            _mm512_storeu_si512(out + 3 * i + 64 * third, _mm512_permutexvar_epi8(from[third], x));
    }
    return i;
}

FOR_AVX2 static size_t spread_thirty_twos(const uint8_t *in, uint8_t *out, size_t n)
{
    __m256i from[3];
    size_t i = 0;

    for (int third = 0; third < 3; third++)
        from[third] = _mm256_loadu_si256((const __m256i *)(const void *)FROM_16[third]);
    for (; i + 32 <= n; i += 32) {
        __m256i x = _mm256_loadu_si256((const __m256i *)(const void *)(in + i));
        const __m256i source[3] = { _mm256_permute4x64_epi64(x, 0x44), x,
                                    _mm256_permute4x64_epi64(x, 0xee) };

        prefetch_written(out + 3 * i, 96);
        for (size_t third = 0; third < 3; third++)
            _mm256_storeu_si256((__m256i *)(void *)(out + 3 * i + 32 * third),
                                _mm256_shuffle_epi8(source[third], from[third]));
    }
    return i;
}

static size_t spread_vectors(const uint8_t *in, uint8_t *out, size_t n)
{
    size_t done = cpu_has_feature(CPU_AVX512_VBMI) ? spread_sixty_fours(in, out, n) : 0;

    return cpu_has_feature(CPU_AVX2)
               ? done + spread_thirty_twos(in + done, out + 3 * done, n - done)
               : done;
}

#else

static size_t spread_vectors(const uint8_t *in, uint8_t *out, size_t n)
{
    (void)in, (void)out, (void)n;
    return 0;
}

#endif

void bytes_gray_to_rgb(const uint8_t *in, uint8_t *out, size_t n)
{
    size_t done = spread_vectors(in, out, n);

    spread(in + done, out + 3 * done, n - done);
}
