/* worst_case: the most work that a pipeline may do. Each op that a step may emit occurs once, in
 * order; no random number is drawn. */
#pragma once

#include "plan/apply.h"

/* The frame and pixels of the sample for the worst case. */
#define WORST_CASE_FRAME ((struct frame){ 640, 480 })
#define WORST_CASE_PIXELS ((struct pixel_kind){ PIXEL_U8, 3 })

/* Gets the worst case, and returns its frame; `out` gets its pixels. A step that is an op has its
 * own values. An op of a transform takes the transform's values for parameters of the same name and
 * kind, and its example's values for the others. It counts as linear only if it always is. Steps
 * with a chance of 0 emit nothing. An op that cannot be done to its input is listed, but does
 * nothing. All memory is from the arena. */
struct frame plan_worst_case(const struct plan *, struct arena *, struct resolved_ops *,
                             struct pixel_kind *out);
