/* matrix_u16: weighted sums of 16-bit colors, in integers; only for colour_u16.c. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A weighted sum of words plus an offset. The sum has 2^shift units per level. A weight is (high +
 * low / 2^15) / 2^shift. 2^15 is subtracted from words, so that all factors are signed 16-bit
 * numbers; `constant` compensates for it, includes the offset, and rounds. Products with `high` are
 * added modulo 2^32, which the whole sum fits. Products with `low` are added separately and
 * truncated once. So the result is the exact sum of these weights, rounded half up, for any
 * implementation. */
struct word_sum {
    int shift;
    int16_t high[3], low[3];
    uint32_t constant;
};

/* Sets the sum with the largest shift at which all weights, and the sum for any words, fit. The
 * offset is in levels of 16 bits. Returns false if that shift is below 4: then the sum could be
 * wrong by a quarter of a level in addition to rounding. */
bool word_sum_make(const float weight[3], double offset, struct word_sum *);

/* Transform the channels of n pixels in place. weigh_words: each channel becomes its own sum of all
 * three. The other: each is blended with gray, as in colour_saturate, by its first two weights. */
void weigh_words(const struct word_sum sum[3], uint16_t *restrict r, uint16_t *restrict g,
                 uint16_t *restrict b, size_t n);
void blend_gray_words(const struct word_sum *, uint16_t *restrict r, uint16_t *restrict g,
                      uint16_t *restrict b, size_t n);

/* The same for n pixels of three words, whole groups of 32 only; `out` may be `in`. Returns how
 * many pixels were done: 0 if the compiler has no such vectors. Only if the processor has
 * CPU_AVX512_VBMI. */
size_t weigh_words_32(const struct word_sum sum[3], const uint16_t *in, uint16_t *out, size_t n);
size_t blend_gray_words_32(const struct word_sum *, const uint16_t *in, uint16_t *out, size_t n);
