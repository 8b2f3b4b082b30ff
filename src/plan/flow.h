/* flow: what a pass does to rows while they are in cache; shared by render.c and planar.c. */
#pragma once

#include "fuse.h"
#include "sampler.h"

enum {
    STRIP = 16,            /* rows that stay in cache between one loop and the next */
    SAMPLED = 16,          /* of as many pixels of a row, one counts for a mean */
    LEAST_SAMPLES = 32768, /* but no fewer in all, if there are */
};

/* What all passes share. */
struct flow {
    const struct drawn_ops *drawn_ops;
    struct pool *pool;
    struct arena *arena;
    struct text *why;
};

/* Rows [y, y + n) of a plane, as a plane. */
struct plane rows_of(const struct plane *, int y, int n);

/* The actions of a pass's points, neighbours that are tables joined into one; those that do nothing
 * in this draw are gone. */
struct points {
    const struct action **each; /* of the pass's point i, as it was added */
    const struct action **at;
    size_t n;
    size_t *before; /* of the pass's point i: how many of these come before it */
    size_t n_added; /* points of the pass so far */
};
struct points points_begin(const struct flow *, const struct pass *);
/* The pass's point i, resolved, for pixels like those of `now`. */
void points_add(struct points *, const struct flow *, const struct pass *, size_t i,
                const struct action *, const struct plane *now);
/* One point, a table or a colour function. */
void point_run(const struct action *, const struct plane *from, struct plane *to);
/* Points [first, end) from the one plane to the other, which may be the same; nothing happens when
 * there are none. */
void points_run(const struct points *, size_t first, size_t end, const struct plane *from,
                struct plane *to);

/* Rows [y0, y1) of what the composed map's canvases cut off get the fill. */
void composed_fill(struct plane *, const struct composed_map *, const struct fill *, int y0,
                   int y1);

/* All rows of the sampler's result, with the points, and the fill of the composed map, which may be
 * NULL.
 */
void flow_run(struct sampler *, const struct points *, const struct composed_map *);
/* The rows from y on of what flow_run makes without a composed map, of a sampler that copies or is
 * an index map, into a plane of just those. */
void flow_rows(struct sampler *, const struct points *, int y, struct plane *to);

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

/* Would an error of a level in the mean change colours by more than a level, in the end? `a` is op
 * i as it was resolved by those stats: then all pixels are to be counted. */
bool is_sensitive(const struct flow *, size_t i, const struct stats *, const struct action *a);

/* The composed map to a picture of every so many pixels, enough for a mean, or of `all`; from a
 * source as for route_scaled. */
struct composed_map composed_sampled(const struct composed_map *, bool all, struct point origin,
                                     struct point in, struct arena *);
