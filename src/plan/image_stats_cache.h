/* image_stats_cache: what ops that must see pixels saw of a source, kept for its other renderings.
 */
#pragma once

#include "plan/apply.h"

struct measured {
    unsigned known; /* NEEDS_...; 0 to begin with, and again when the source is another one */
    struct stats stats;
    uint32_t counts[3 * 256]; /* the histogram of a source of bytes; others are counted each time */
};

/* Are all of the needs (NEEDS_...) known? Then the stats, which last as long as the measured. */
bool measured_find(const struct measured *, unsigned needs, struct stats *);
/* Keep what was found for the needs; of a histogram n counts. */
void measured_keep(struct measured *, unsigned needs, const struct stats *, size_t n);
