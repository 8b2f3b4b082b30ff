/* matrix_u16: sums of weighed colours of 16 bit, in integers; only for colour_u16.c. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A weighted sum of words and an offset. The sum is on a scale of 2^shift to a level, a weight is
 * (high + low / 2^15) / 2^shift, and a word counts from 2^15 on, so that all are of 16 bits with a
 * sign; `constant` makes up for that, has the offset, and rounds. High products are added modulo
 * 2^32, into which the whole fits; low ones are added by themselves and cut off once: the result
 * is the sum of these weights rounded exactly, halves up, however it is worked out. */
struct word_sum {
    int shift;
    int16_t high[3], low[3];
    uint32_t constant;
};

/* On the finest scale that has room for all weights, and for the sum, whatever the words. The
 * offset is in levels of 16 bit. False when that scale has less than 2^4 to a level, on which the
 * sum may be off by a quarter of a level beside rounding. */
bool word_sum_fits(const float weight[3], double offset, struct word_sum *);

/* n pixels' channels, in place: each becomes a sum of all three, or of itself and gray, as
 * colour_saturate has it, by the first two weights. */
void weigh_words(const struct word_sum sum[3], uint16_t *restrict r, uint16_t *restrict g,
                 uint16_t *restrict b, size_t n);
void blend_gray_words(const struct word_sum *, uint16_t *restrict r, uint16_t *restrict g,
                      uint16_t *restrict b, size_t n);

/* The same of n pixels of three words, as many as there are whole 32s, from a row onto one, which
 * may be the same. How many were made, 0 where the compiler knows no such vectors; only where the
 * processor has CPU_AVX512_VBMI. */
size_t weigh_words_32(const struct word_sum sum[3], const uint16_t *in, uint16_t *out, size_t n);
size_t blend_gray_words_32(const struct word_sum *, const uint16_t *in, uint16_t *out, size_t n);
