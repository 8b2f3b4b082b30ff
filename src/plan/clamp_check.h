/* clamp_check: where a shortcut leaves out that colours are cut off at the ends of their range
 * after each op, does that matter to this image? Answered by doing both on a few of its pixels. */
#pragma once

#include "plan/pass_rows.h"

/* Can the function give colours outside of 0..255? Of an op that is not resolved yet: yes. */
bool drawn_clamps(const struct drawn_op *);

/* How many of the pass's pointwise ops come before its last move that blends pixels. */
size_t pointwise_blended(const struct drawn_ops *, const struct pass *);

/* Are pixels that are cut off, or changed by what is not linear, before the pass's pointwise op i,
 * blended by a filter that shrinks? Then a mean is not that of some of the pixels before. */
bool is_reduced_late(const struct drawn_ops *, const struct pass *, size_t i,
                     const struct composed_map *);

/* Blocks of pixels, spread over a box of the source: as wide as what becomes a pixel of the result,
 * or narrower, for a filter does not weigh all pixels alike. */
struct sites {
    int32_t *col, *row; /* of the whole upright image, times `n` */
    int n, block;       /* pixels along and down in all, and in a block */
};
struct sites sites_of(struct box, struct point apart, struct arena *);
/* Their pixels in a plane that has `per` pixels for one of the source from `origin` on; from the
 * pool. */
struct plane sites_take(const struct sites *, const struct plane *, struct point origin,
                        struct point per, const struct pass_context *);
/* The mean of each block instead, from the pool; the plane goes back. */
struct plane sites_blend(const struct sites *, struct plane, struct pool *);
/* Do two planes of sites differ by more than a shortcut may, as a mean squared error in levels of
 * 255? Sites stand for all pixels: let it be half of what is stated, or less. */
bool sites_differ(const struct plane *, const struct plane *, double most, struct pool *);

/* Op by op, the image would be cut off at the ends of its range before pixels are blended: does the
 * pass, which blends first by its composed map, give others? `now` is what the pass reads: it has
 * `per` pixels for one of the source from `origin` on. */
bool clamping_is_missed(const struct pass_context *, const struct plane *now, struct point origin,
                        struct point per, const struct pass *, const struct pointwise *);
