/* matrix_u8_avx512: sums of weighed colours, of 64 pixels of three bytes at once; only for
 * colour_u8.c.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* A weighted sum of three bytes and an offset, on a scale of 2^shift to a level; weights are for
 * bytes on a scale of 2^7. Products are cut off, by half a unit on average, which the offset makes
 * up for. */
struct fixed_sum {
    int shift;
    int16_t weight[3], offset;
};

/* Of n pixels as many as there are whole 64s, from a row onto one, which may be the same: each
 * channel a sum of its own; or all of a channel and gray, as colour_saturate has it, by the first
 * two weights. How many were made, 0 where the compiler knows no such vectors; only where the
 * processor has CPU_AVX512_VBMI. */
size_t weigh_all_64(const struct fixed_sum sum[3], const uint8_t *in, uint8_t *out, size_t n);
size_t blend_gray_64(const struct fixed_sum *sum, const uint8_t *in, uint8_t *out, size_t n);
