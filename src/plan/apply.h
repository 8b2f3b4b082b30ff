/* apply: applies a plan to a sample: samples random values for the steps, emits ops and moves
 * labels. Pixels are left to render.h, so that a run that needs no pixels decodes none. */
#pragma once

#include "plan/resolved_op.h"

/* Identifies one output of an image; all its random numbers depend on these members. `branch`, less
 * than the plan's fan_out, counts the samples that ops with a fan_out make of one. Steps before
 * such an op draw the same values for all its branches; steps after it draw different values for
 * each branch. */
struct draw_id {
    uint64_t seed;
    struct slice image; /* the image's seed key */
    uint32_t copy, branch, attempt;
};

/* Applies all steps to a sample, and moves its labels. The emitted ops live in the sample's arena.
 * Returns false, with the reason in `why`, if a step cannot be done to the sample. */
bool plan_apply(const struct plan *, const struct draw_id *, struct pixel_kind, struct sample *,
                struct resolved_ops *, struct text *why);
