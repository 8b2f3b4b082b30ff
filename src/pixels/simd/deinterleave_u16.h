/* deinterleave_u16: colours of pixels of 16 bit, channel by channel; only for colour_u16.c. */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* The first three channels of n pixels of three or four words, and back; channels that are put
 * together may be one and the same. */
void words_apart(const uint16_t *in, size_t step, uint16_t *const channel[3], size_t n);
void words_together(const uint16_t *const channel[3], uint16_t *out, size_t step, size_t n);

/* The luma of n pixels of three words, as colour_luma has it, of as many as there are whole
 * vectors: how many, which may be none. */
size_t words_luma(const uint16_t *in, uint16_t *out, size_t n);
