/* noise: random numbers of pixels, pure in (key, stream, x, y), for many pixels of a row at once.
 *
 * Philox4x32-10 with the key (key, stream) and the counter (x, y, 0, 0), so that no number depends
 * on another, on a plane's channels or on where its rows begin. Only IEEE operations: equal on
 * every machine. At most PLACE_PIECE pixels a call. */
#pragma once

#include "pixels/plane.h"

/* Of each of the pixels (x, y), (x + 1, y), ...: four words. */
struct noise {
    uint32_t word[4][PLACE_PIECE];
};
void noise_words(uint32_t key, uint32_t stream, int x, int y, int n, struct noise *);
/* The first of a pixel's four words alone, in less time. */
void noise_first_words(uint32_t key, uint32_t stream, int x, int y, int n, uint32_t *word);

/* [0, 1), in steps of 2^-24. */
void noise_units(const uint32_t *word, int n, float *u);
/* Two numbers of the normal distribution from two words (Box and Muller): to 24 bits, within 5.8
 * standard deviations. */
void noise_normals(const uint32_t *word, const uint32_t *other, int n, float *first, float *second);
/* Poisson's distribution of mean lambda: from `none`, its share of zeros exp(-lambda), and a
 * uniform u by adding up where lambda is below NOISE_COUNTED; else from a normal z, by Cornish and
 * Fisher's expansion to the second term, whose error is far below 1. */
#define NOISE_COUNTED 50
float noise_poisson(float lambda, double none, float u, float z);
