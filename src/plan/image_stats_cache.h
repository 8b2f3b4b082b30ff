/* image_stats_cache: statistics of a source for ops that must see pixels, kept for its other
 * renderings. */
#pragma once

#include "plan/apply.h"

struct stats_cache {
    unsigned known; /* NEEDS_...; 0 at first, and again for another source */
    struct stats stats;
    uint32_t counts[3 * 256]; /* histogram of a source of bytes; other histograms are not kept */
};

/* True if all of the needs (NEEDS_...) are known. Then sets the stats, which last as long as the
 * cache. */
bool stats_cache_find(const struct stats_cache *, unsigned needs, struct stats *);
/* Stores the stats for the needs; the histogram has n counts. */
void stats_cache_store(struct stats_cache *, unsigned needs, const struct stats *, size_t n);
