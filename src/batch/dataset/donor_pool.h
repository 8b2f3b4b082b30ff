/* donor_pool: images that may be borrowed, and the random choice among them.
 *
 * Each of the n candidates has the same probability. One image more or less changes only about 1/n
 * of the choices.
 *
 * Up to DONOR_RING candidates, each draw mixes its random number with the hash of every candidate
 * and takes the smallest result. For more candidates, the hashes form a ring. The smallest result
 * in a random arc of the ring is taken; an arc has DONOR_ARC candidates at most on average. The
 * length of the arc depends on n rounded up to a power of two. So one more image changes all
 * choices at DONOR_RING + 1, and about three quarters of them where n passes a larger power of two.
 */
#pragma once

#include "base/base.h"

enum { DONOR_RING = 65536, DONOR_ARC = 4096 };

struct donor_key {
    uint64_t hash; /* hash of the name */
    uint32_t record;
};

struct donor_pool {
    struct donor_key *at; /* sorted by hash */
    size_t n;
};

void donor_pool_sort(struct donor_pool *);
/* Returns the index of the first key whose hash is not below `hash`. */
size_t donor_pool_find(const struct donor_pool *, uint64_t hash);
/* Chooses a record by 64 random bits, excluding `except` (may be NULL). Returns false if there is
 * none. */
bool donor_pool_draw(const struct donor_pool *, const struct donor_key *except, uint64_t draw,
                     size_t *record);
