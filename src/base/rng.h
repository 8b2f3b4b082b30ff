/* rng: counter-based random numbers (Philox4x32-10; Salmon, Moraes, Dror, Shaw, SC 2011).
 *
 * A number is a pure function of (key, stream, purpose, how many were drawn before): images, steps
 * and workers share no state. The key identifies the sample, the stream the step. */
#pragma once

#include "base/base.h"

struct rng {
    uint32_t key[2];
    uint32_t stream, purpose;
    uint64_t block;   /* index of the next block of four 32-bit words */
    uint32_t word[4]; /* of the current block */
    unsigned left;    /* words that are not used yet */
};

/* The purposes of a step's numbers; numbers for one purpose do not affect another's. */
enum rng_purpose {
    RNG_CHANCE, /* whether the step happens (p) */
    RNG_DRAW,   /* its parameters */
};

/* Returns the key of one output: the first 8 bytes of SHA-256 over the five parts, each with its
 * length. */
uint64_t rng_key(uint64_t seed, struct slice image_key, uint32_t copy, uint32_t branch,
                 uint32_t attempt);
/* Returns the stream of a step: the first 4 bytes of SHA-256 over its id or its position path. */
uint32_t rng_stream(const char *id_or_path);

struct rng rng_start(uint64_t key, uint32_t stream, enum rng_purpose);

/* Computes one block of Philox4x32-10. */
void philox4x32(const uint32_t counter[4], const uint32_t key[2], uint32_t out[4]);

uint32_t rng_u32(struct rng *);
uint64_t rng_u64(struct rng *);
/* In [0, 1): (u64 >> 11) * 2^-53. */
double rng_unit(struct rng *);
/* In [lo, hi); lo if they are equal. */
double rng_between(struct rng *, double lo, double hi);
/* In [lo, hi), both integers and hi > lo, without bias (rejection). */
int64_t rng_integer(struct rng *, int64_t lo, int64_t hi);
/* exp(uniform(ln lo, ln hi)), by number_exp and number_log: equal on every platform. */
double rng_log_between(struct rng *, double lo, double hi);
/* Normal with this mean and standard deviation, by number_normal; each uses one number of rng_u64.
 */
double rng_normal(struct rng *, double mean, double deviation);
/* Stores n shares that sum to 1, from the symmetric Dirichlet distribution with concentration alpha
 * > 0. For n = 2, its numbers are those of a beta distribution. */
void rng_dirichlet(struct rng *, double alpha, double *share, size_t n);
/* Stores a random order of 0..n-1 (Fisher-Yates from the front, as in torch.randperm). */
void rng_permutation(struct rng *, size_t *order, size_t n);
