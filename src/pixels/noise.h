/* noise: random numbers for pixels, which depend only on (key, stream, x, y), for a row of pixels
 * at once.
 *
 * They are Philox4x32-10 with the key (key, stream) and the counter (x, y, 0, 0). So no number
 * depends on another, on a plane's channels or on where its rows begin. Only IEEE operations are
 * used: results are equal on every machine. A call handles at most PLACE_PIECE pixels. */
#pragma once

#include "pixels/plane.h"

/* Four random words for each of the n pixels (x, y), (x + 1, y), ... */
struct noise {
    uint32_t word[4][PLACE_PIECE];
};
void noise_words(uint32_t key, uint32_t stream, int x, int y, int n, struct noise *);
/* Writes only the first of the four words, in less time. */
void noise_first_words(uint32_t key, uint32_t stream, int x, int y, int n, uint32_t *word);

/* Converts words to numbers in [0, 1), in steps of 2^-24. */
void noise_units(const uint32_t *word, int n, float *u);
/* Converts pairs of words to pairs of numbers of the standard normal distribution (Box and Muller),
 * accurate to 24 bits and within 5.8 standard deviations. */
void noise_normals(const uint32_t *word, const uint32_t *other, int n, float *first, float *second);
/* Returns a number of the Poisson distribution with mean lambda. Below NOISE_COUNTED it inverts the
 * distribution at the uniform number u by summation, from `none` = exp(-lambda), the probability of
 * 0. Otherwise it uses the normal number z and the Cornish-Fisher expansion to the second term,
 * whose error is far below 1. */
#define NOISE_COUNTED 50
float noise_poisson(float lambda, double none, float u, float z);
