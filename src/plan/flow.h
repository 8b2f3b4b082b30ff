/* flow: what a pass does to rows while they are in cache; shared by render.c and planar.c. */
#pragma once

#include "fuse.h"
#include "mover.h"

enum {
    STRIP = 16,     /* rows that stay in cache between one loop and the next */
    SAMPLED = 4,    /* of as many pixels along and down, one counts for a mean */
    UNSAMPLED = 64, /* but of canvases with sides no longer than this all do */
};

/* What all passes share. */
struct flow {
    const struct drawing *drawing;
    struct pool *pool;
    struct arena *arena;
    struct text *why;
};

/* Rows [y, y + n) of a plane, as a plane. */
struct plane rows_of(const struct plane *, int y, int n);

/* The actions of a pass's points, neighbours that are tables joined into one, neighbours that are
 * linear too where bits may differ; those that do nothing in this draw are gone. */
struct points {
    const struct action **at;
    size_t n;
    size_t *before; /* of the pass's point i: how many of these come before it */
    size_t n_added; /* points of the pass so far */
};
struct points points_begin(const struct flow *, const struct pass *);
/* The pass's point i, resolved, for pixels like those of `now`. */
void points_add(struct points *, const struct flow *, const struct pass *, size_t i,
                const struct action *, const struct plane *now);
/* Points [first, end) from the one plane to the other, which may be the same; nothing happens when
 * there are none. */
void points_run(const struct points *, size_t first, size_t end, const struct plane *from,
                struct plane *to);

/* All rows of the mover's result, with the points, and the fill of the route, which may be NULL. */
void flow_run(struct mover *, const struct points *, const struct route *);
/* The rows from y on of what flow_run makes without a route, of a mover that copies or is an index
 * map, into a plane of just those. */
void flow_rows(struct mover *, const struct points *, int y, struct plane *to);

/* Counting pixels for an op that must see them. */
struct tally {
    double luma;
    uint32_t *counts;
    struct colour_sums sums;
    size_t n;
    unsigned needs;
    double unit;
};
struct tally tally_begin(const struct flow *, const struct plane *like, unsigned needs);
void tally_add(struct tally *, const struct plane *);
struct stats tally_end(const struct tally *);

/* The route to a picture of every so many pixels, enough for a mean; from a source as for
 * route_scaled. */
struct route route_sampled(const struct route *, struct point origin, struct point in,
                           struct arena *);
