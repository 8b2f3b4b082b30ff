/* image_stats_cache: statistics of a source, kept for its other renderings. */
#include "plan/image_stats_cache.h"

#include <string.h>

bool stats_cache_find(const struct stats_cache *m, unsigned needs, struct stats *stats)
{
    if (needs & ~m->known)
        return false;
    *stats = m->stats;
    return true;
}

void stats_cache_store(struct stats_cache *m, unsigned needs, const struct stats *stats, size_t n)
{
    if (needs & NEEDS_LUMA)
        m->stats.luma = stats->luma;
    if (needs & NEEDS_COVARIANCE)
        m->stats.moments = stats->moments;
    if (needs & NEEDS_HISTOGRAM) {
        if (n > COUNTOF(m->counts))
            return;
        memcpy(m->counts, stats->histogram, n * sizeof *m->counts);
        m->stats.histogram = m->counts;
    }
    m->known |= needs;
}
