/* donor_pool: images that may be borrowed, and the random choice among them. */
#include "batch/dataset/donor_pool.h"

#include "base/hash.h"

#include <stdlib.h>

/* Upper bound of the keys in an arc. An arc has DONOR_ARC keys at most on average, with a standard
 * deviation of 64, so the bound is never reached in practice. */
enum { MAX_ARC_KEYS = 5120 };

static int by_hash(const void *a, const void *b)
{
    const struct donor_key *x = a, *y = b;

    return (x->hash > y->hash) - (x->hash < y->hash);
}

void donor_pool_sort(struct donor_pool *pool)
{
    if (pool->n)
        qsort(pool->at, pool->n, sizeof *pool->at, by_hash);
}

size_t donor_pool_find(const struct donor_pool *pool, uint64_t hash)
{
    size_t low = 0, high = pool->n;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (pool->at[middle].hash < hash)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static bool has_key(const struct donor_pool *pool, uint64_t hash)
{
    size_t i = donor_pool_find(pool, hash);

    return i < pool->n && pool->at[i].hash == hash;
}

/* Returns the index of the key with the smallest mixed hash, among n keys from index `first` around
 * the ring. Returns the pool's size if the only key is the excluded one. */
static size_t find_smallest(const struct donor_pool *pool, size_t first, size_t n,
                            const struct donor_key *except, uint64_t draw)
{
    uint64_t lowest = UINT64_MAX;
    size_t found = pool->n;

    for (size_t i = 0, at = first; i < n; i++) {
        const struct donor_key *key = &pool->at[at];
        uint64_t mixed = hash_mix(key->hash ^ draw);

        if ((mixed < lowest || found == pool->n) && !(except && key->hash == except->hash)) {
            lowest = mixed;
            found = at;
        }
        at = at + 1 == pool->n ? 0 : at + 1;
    }
    return found;
}

/* Returns the length of an arc: 2^64 / (n rounded up to a power of two) x DONOR_ARC, for n above
 * DONOR_ARC. */
static uint64_t arc_length(size_t n)
{
    uint64_t length = (uint64_t)1 << 63;

    for (size_t power = 2 * DONOR_ARC; power < n; power *= 2)
        length /= 2;
    return length;
}

/* Accepts an arc with a probability proportional to its keys. So a key in a full arc is as likely
 * as a key in an almost empty one. */
static size_t draw_on_ring(const struct donor_pool *pool, size_t n, const struct donor_key *except,
                           uint64_t draw)
{
    uint64_t length = arc_length(n);

    for (;;) {
        uint64_t start = hash_mix(draw += 0x9e3779b97f4a7c15ULL); /* step of SplitMix64 */
        uint64_t chance = hash_mix(draw += 0x9e3779b97f4a7c15ULL) % MAX_ARC_KEYS;
        size_t first = donor_pool_find(pool, start) % pool->n;
        size_t end = donor_pool_find(pool, start + length) % pool->n;
        size_t count = end >= first ? end - first : end + pool->n - first, left = count;

        if (except && except->hash - start < length)
            left--;
        draw += 0x9e3779b97f4a7c15ULL;
        if (chance < left)
            return find_smallest(pool, first, count, except, hash_mix(draw));
    }
}

bool donor_pool_draw(const struct donor_pool *pool, const struct donor_key *except, uint64_t draw,
                     size_t *record)
{
    bool excepts = except && has_key(pool, except->hash);
    size_t n = pool->n - excepts, found;

    if (!n)
        return false;
    if (!excepts)
        except = NULL;
    found = n <= DONOR_RING ? find_smallest(pool, 0, pool->n, except, draw)
                            : draw_on_ring(pool, n, except, draw);
    *record = pool->at[found].record;
    return true;
}
