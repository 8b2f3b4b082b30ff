/* rgb_avx512: joins three vectors of channels to pixels of three samples, for AVX-512. A third of
 * 64 pixels of bytes, or of 32 of words, is made at a time. One shuffle makes red and green
 * samples, another makes blue samples under a mask. Only for deinterleave_u8.c, matrix_u8_avx512.c,
 * jpeg_ycbcr.c, deinterleave_u16.c and matrix_u16.c. */
#pragma once

#include "base/cpu.h"

#include <stdint.h>

#ifdef CPU_HAS_INTRINSICS

/* For sample k of a third of vectors with n samples: its pixel, and the number to add to the
 * pixel's index. Shuffles of two vectors count green after red, so the number is n for green. */
#define THIRD_PIXEL(n, k, third) (((n) * (third) + (k)) / 3)
#define THIRD_GREEN(n, k, third) (((n) * (third) + (k)) % 3 == 1 ? (n) : 0)

/* The samples of each third that are blue. */
static const uint64_t THIRD_BLUE_BYTES[3] = { 0x4924924924924924, 0x2492492492492492,
                                              0x9249249249249249 };
static const uint32_t THIRD_BLUE_WORDS[3] = { 0x24924924, 0x49249249, 0x92492492 };

/* Makes a third from the channels. `at` has the index of each sample, with THIRD_GREEN. */
INLINE_FOR_AVX512_VBMI __m512i third_of_bytes(const __m512i channel[3], int third, __m512i at)
{
    __m512i v = _mm512_permutex2var_epi8(channel[0], at, channel[1]);

    return _mm512_mask_permutexvar_epi8(v, THIRD_BLUE_BYTES[third], at, channel[2]);
}

INLINE_FOR_AVX512_VBMI __m512i third_of_words(const __m512i channel[3], int third, __m512i at)
{
    __m512i v = _mm512_permutex2var_epi16(channel[0], at, channel[1]);

    return _mm512_mask_permutexvar_epi16(v, THIRD_BLUE_WORDS[third], at, channel[2]);
}

#endif
