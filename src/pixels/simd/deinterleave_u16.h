/* deinterleave_u16: splits 16-bit pixels into channels, and joins them; only for colour_u16.c. */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* Split the first three channels of n pixels of three or four words, and join them. When joining,
 * the channels may be the same array. */
void words_deinterleave(const uint16_t *in, size_t step, uint16_t *const channel[3], size_t n);
void words_interleave(const uint16_t *const channel[3], uint16_t *out, size_t step, size_t n);

/* Writes the luma of n RGB pixels of words, as colour_luma defines it, for whole vectors only.
 * Returns how many pixels were done, maybe 0. */
size_t words_luma(const uint16_t *in, uint16_t *out, size_t n);
