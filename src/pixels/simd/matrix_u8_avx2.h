/* matrix_u8_avx2: weighted sums of colors, and channels blended with gray, for 32 RGB pixels of
 * bytes at once; only for colour_u8.c. */
#pragma once

#include "pixels/simd/matrix_u8_avx512.h"

/* Do the same as weigh_all_64 and blend_gray_64, for whole groups of 32 pixels. weigh_one_32 writes
 * one sum: one byte per pixel. Only if the processor has CPU_AVX2. */
size_t weigh_one_32(const struct fixed_sum *sum, const uint8_t *in, uint8_t *out, size_t n);
size_t weigh_all_32(const struct fixed_sum sum[3], const uint8_t *in, uint8_t *out, size_t n);
size_t blend_gray_32(const struct fixed_sum *sum, const uint8_t *in, uint8_t *out, size_t n);
