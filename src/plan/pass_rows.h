/* pass_rows: what a pass does to rows while they are in cache; shared by render.c and planar.c. */
#pragma once

#include "plan/fuse.h"
#include "plan/sampler.h"

enum {
    STRIP = 16,            /* rows that stay in cache between one loop and the next */
    SAMPLED = 16,          /* of as many pixels of a row, one counts for a mean */
    LEAST_SAMPLES = 32768, /* but no fewer in all, if there are */
};

/* What all passes share. */
struct pass_context {
    const struct drawn_ops *drawn_ops;
    struct pool *pool;
    struct arena *arena;
    struct text *why;
};

/* Rows [y, y + n) of a plane, as a plane. */
struct plane rows_of(const struct plane *, int y, int n);

/* The actions of a pass's pointwise ops, neighbours that are tables joined into one; those that do
 * nothing in this draw are gone. */
struct pointwise {
    const struct action **each; /* of the pass's pointwise op i, as it was added */
    const struct action **at;
    size_t n;
    size_t *before; /* of the pass's pointwise op i: how many of these come before it */
    size_t n_added; /* pointwise ops of the pass so far */
};
struct pointwise pointwise_begin(const struct pass_context *, const struct pass *);
/* The pass's pointwise op i, resolved, for pixels like those of `now`. */
void pointwise_add(struct pointwise *, const struct pass_context *, const struct pass *, size_t i,
                   const struct action *, const struct plane *now);
/* One pointwise op, a table or a colour function. */
void pointwise_run_one(const struct action *, const struct plane *from, struct plane *to);
/* Points [first, end) from the one plane to the other, which may be the same; nothing happens when
 * there are none. */
void pointwise_run(const struct pointwise *, size_t first, size_t end, const struct plane *from,
                   struct plane *to);

/* Rows [y0, y1) of what the composed map's canvases cut off get the fill. */
void composed_fill(struct plane *, const struct composed_map *, const struct fill *, int y0,
                   int y1);

/* All rows of the sampler's result, with the pointwise ops, and the fill of the composed map, which
 * may be NULL.
 */
void pass_rows_run(struct sampler *, const struct pointwise *, const struct composed_map *);
/* The rows from y on of what pass_rows_run makes without a composed map, of a sampler that copies
 * or is an index map, into a plane of just those. */
void pass_rows_make(struct sampler *, const struct pointwise *, int y, struct plane *to);

/* Counting pixels for an op that must see them. */
struct tally {
    double luma;
    uint32_t *counts;
    struct colour_sums sums;
    size_t n;
    unsigned needs;
    double unit;
};
struct tally tally_begin(const struct pass_context *, const struct plane *like, unsigned needs);
void tally_add(struct tally *, const struct plane *);
struct stats tally_end(const struct tally *);

/* Would an error of a level in the mean change colours by more than a level, in the end? `a` is op
 * i as it was resolved by those stats: then all pixels are to be counted. */
bool is_sensitive(const struct pass_context *, size_t i, const struct stats *,
                  const struct action *a);

/* The composed map to a picture of every so many pixels, enough for a mean, or of `all`; from a
 * source as for composed_scaled. */
struct composed_map composed_sampled(const struct composed_map *, bool all, struct point origin,
                                     struct point in, struct arena *);
