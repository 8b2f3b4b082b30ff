/* matrix_u8_avx2: weighed colours, and each channel blended with gray, of 32 pixels of three bytes
 * at once; only for colour_u8.c. */
#pragma once

#include "pixels/simd/matrix_u8_avx512.h"

/* As weigh_all_64 and blend_gray_64, of as many pixels as there are whole 32s, and one sum alone,
 * to one byte a pixel; only where the processor has CPU_AVX2. */
size_t weigh_one_32(const struct fixed_sum *sum, const uint8_t *in, uint8_t *out, size_t n);
size_t weigh_all_32(const struct fixed_sum sum[3], const uint8_t *in, uint8_t *out, size_t n);
size_t blend_gray_32(const struct fixed_sum *sum, const uint8_t *in, uint8_t *out, size_t n);
