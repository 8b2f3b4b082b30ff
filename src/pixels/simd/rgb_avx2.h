/* rgb_avx2: 32 pixels of three bytes as three vectors for AVX2; only for deinterleave_u8.c and
 * matrix_u8_avx2.c. Sixteen pixels are three times 16 bytes. The low half of a vector is a third of
 * the first sixteen pixels; the high half is the same third of the next sixteen. */
#pragma once

#include "base/cpu.h"

#include <stddef.h>
#include <stdint.h>

#ifdef CPU_HAS_INTRINSICS

/* [third][channel]: the index of the byte of a channel that each of the 16 bytes of a third takes;
 * -1: none. */
extern const int8_t THIRDS_TOGETHER[3][3][16];

INLINE_FOR_AVX2 void thirds_load(const uint8_t *in, __m256i third[3])
{
    for (size_t k = 0; k < 3; k++)
        third[k] =
            _mm256_loadu2_m128i((const void *)(in + 48 + 16 * k), (const void *)(in + 16 * k));
}

INLINE_FOR_AVX2 void third_store(uint8_t *out, size_t k, __m256i v)
{
    _mm256_storeu2_m128i((void *)(out + 48 + 16 * k), (void *)(out + 16 * k), v);
}

/* Applies one shuffle to both halves of a vector. */
INLINE_FOR_AVX2 __m256i shuffled(__m256i v, const int8_t at[16])
{
    __m128i half = _mm_loadu_si128((const __m128i *)(const void *)at);

    return _mm256_shuffle_epi8(v, _mm256_broadcastsi128_si256(half));
}

/* Merge the shuffled bytes of two or three vectors into one. */
INLINE_FOR_AVX2 __m256i merged_two(const __m256i part[2], const int8_t at[2][16])
{
    return _mm256_or_si256(shuffled(part[0], at[0]), shuffled(part[1], at[1]));
}

INLINE_FOR_AVX2 __m256i merged_three(const __m256i part[3], const int8_t at[3][16])
{
    return _mm256_or_si256(merged_two(part, at), shuffled(part[2], at[2]));
}

#endif
