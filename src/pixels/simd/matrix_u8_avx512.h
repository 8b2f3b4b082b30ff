/* matrix_u8_avx512: weighted sums of colors, for 64 RGB pixels of bytes at once; only for
 * colour_u8.c. */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* A weighted sum of three bytes plus an offset, with 2^shift units per level. The weights are for
 * bytes times 2^7. Products are truncated, by half a unit on average, which the offset compensates
 * for. */
struct fixed_sum {
    int shift;
    int16_t weight[3], offset;
};

/* Transform n pixels of a row, whole groups of 64 only; `out` may be `in`. weigh_all_64: each
 * channel is its own sum. blend_gray_64: each channel is blended with gray, as in colour_saturate,
 * by its first two weights. Return how many pixels were done: 0 if the compiler has no such
 * vectors. Only if the processor has CPU_AVX512_VBMI. */
size_t weigh_all_64(const struct fixed_sum sum[3], const uint8_t *in, uint8_t *out, size_t n);
size_t blend_gray_64(const struct fixed_sum *sum, const uint8_t *in, uint8_t *out, size_t n);
