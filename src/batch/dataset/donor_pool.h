/* donor_pool: images that may be borrowed, and which of them a draw chooses.
 *
 * Of the n images that a draw may choose each has the same chance, and an image more or less
 * changes about 1/n of the draws. Up to DONOR_RING images the one is chosen whose hash, mixed with
 * the draw, is least. Beyond, hashes stand on a ring: the least of a random arc of it is chosen, of
 * at most about DONOR_ARC images. The arc's length follows from n rounded up to a power of two. One
 * more image changes all draws at DONOR_RING + 1, and about three quarters of them where n crosses
 * a larger power of two. */
#pragma once

#include "base/base.h"

enum { DONOR_RING = 65536, DONOR_ARC = 4096 };

struct donor_key {
    uint64_t hash; /* of its name */
    uint32_t record;
};

struct donor_pool {
    struct donor_key *at; /* sorted by hash */
    size_t n;
};

void donor_pool_sort(struct donor_pool *);
/* The number of the first key that is not below the hash. */
size_t donor_pool_find(const struct donor_pool *, uint64_t hash);
/* The record that 64 random bits choose, but not `except`, which may be NULL. False when there is
 * none. */
bool donor_pool_draw(const struct donor_pool *, const struct donor_key *except, uint64_t draw,
                     size_t *record);
