/* pass_rows: the work of a pass on rows while they are in cache; shared by render_passes.c and
 * planar.c. */
#pragma once

#include "plan/fuse.h"
#include "plan/sampler.h"

enum {
    STRIP = 16,          /* rows that stay in cache from one loop to the next */
    SAMPLED = 16,        /* a mean samples one of this many pixels of a row */
    MIN_SAMPLES = 32768, /* minimum number of samples for a mean, if the image has as many */
};

/* Shared by all passes of a rendering. */
struct pass_context {
    const struct resolved_ops *resolved_ops;
    struct pool *pool;
    struct arena *arena;
    struct text *why;
};

/* Returns rows [y, y + n) of a plane as a plane. */
struct plane rows_of(const struct plane *, int y, int n);

/* The actions of a pass's pointwise ops. Neighboring tables are joined; actions that do nothing are
 * left out. */
struct pointwise {
    const struct action **each; /* index i: pointwise op i of the pass, not joined */
    const struct action **at;
    size_t n;
    size_t *before; /* index i: number of actions before pointwise op i of the pass */
    size_t n_added; /* pointwise ops added so far */
};
struct pointwise pointwise_begin(const struct pass_context *, const struct pass *);
/* Adds the pass's pointwise op i, resolved, for pixels like those of `now`. */
void pointwise_add(struct pointwise *, const struct pass_context *, const struct pass *, size_t i,
                   const struct action *, const struct plane *now);
/* Runs a single pointwise op, a table or a color function. */
void pointwise_run_one(const struct action *, const struct plane *from, struct plane *to);
/* Runs actions [first, end) from one plane to the other, which may be the same. Does nothing if
 * there are none. */
void pointwise_run(const struct pointwise *, size_t first, size_t end, const struct plane *from,
                   struct plane *to);

/* Fills rows [y0, y1) outside of the composed map's edges. */
void composed_fill(struct plane *, const struct composed_map *, const struct fill *, int y0,
                   int y1);

/* Makes all rows of the sampler's result, with pointwise ops, and with the fill of the composed
 * map, which may be NULL. */
void pass_rows_run(struct sampler *, const struct pointwise *, const struct composed_map *);
/* Makes the rows of `to`, from y on, as pass_rows_run without a composed map. The sampler copies or
 * is an index map. */
void pass_rows_make(struct sampler *, const struct pointwise *, int y, struct plane *to);

/* Collects statistics of pixels for an op that must see them. */
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

/* True if an error of one level in the mean would change the final colors by more than one level.
 * Then all pixels must be counted. `a` is op i, resolved with these stats. */
bool is_sensitive(const struct pass_context *, size_t i, const struct stats *,
                  const struct action *a);

/* Returns the composed map with a smaller output, which samples some pixels of each row, enough for
 * a mean; or, with `all`, every pixel. The source is given as for composed_scaled. */
struct composed_map composed_sampled(const struct composed_map *, bool all, struct point origin,
                                     struct point in, struct arena *);
