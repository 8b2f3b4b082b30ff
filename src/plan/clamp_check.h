/* clamp_check: mode fast may clamp colors to their range once instead of after each op. Compares
 * both ways on a few pixels of the image, to find whether that changes it. */
#pragma once

#include "plan/pass_rows.h"

/* True if the op's colors can leave 0..255; always true for an op that is not resolved yet. */
bool op_can_clamp(const struct resolved_op *);

/* Returns how many of the pass's pointwise ops precede its last move that blends pixels. */
size_t pointwise_blended(const struct resolved_ops *, const struct pass *);

/* True if a filter that shrinks blends pixels which ops before pointwise op i may clamp or change
 * by a function that is not linear. Then the mean of samples before the filter differs from the
 * mean after it. */
bool is_reduced_after_clamp(const struct resolved_ops *, const struct pass *, size_t i,
                            const struct composed_map *);

/* Blocks of pixels, spread over a box of the source. A block is at most as wide as the source
 * pixels that become one pixel of the result: a filter does not weigh them equally. */
struct sites {
    int32_t *col, *row; /* positions in the whole upright image, `n` of each */
    int n, block;       /* pixels along each axis: in all blocks, and in one */
};
struct sites sites_of(struct box, struct point apart, struct arena *);
/* Copies the pixels of all blocks from a plane that has `per` pixels for each pixel of the source
 * and begins at `origin`. The result is from the pool. */
struct plane sites_take(const struct sites *, const struct plane *, struct point origin,
                        struct point per, const struct pass_context *);
/* Replaces the plane, which goes back to the pool, by one with the mean of each block. */
struct plane sites_blend(const struct sites *, struct plane, struct pool *);
/* True if two planes of sites differ by more than `max_error`, a mean squared error in levels of
 * 255. Sites represent all pixels, so the limit should be half of the stated bound, or less. */
bool sites_differ(const struct plane *, const struct plane *, double max_error, struct pool *);

/* True if the pass gives visibly other colors than its ops one by one. The pass resamples first and
 * clamps later; the ops clamp before pixels are blended. `now` is the input of the pass: it has
 * `per` pixels for each pixel of the source and begins at `origin`. */
bool clamping_is_missed(const struct pass_context *, const struct plane *now, struct point origin,
                        struct point per, const struct pass *, const struct pointwise *);
