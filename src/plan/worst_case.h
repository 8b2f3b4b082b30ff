/* worst_case: what a pipeline's steps may become at the worst: one drawn op for every op that one
 * of them may emit, in order, without drawing a number. */
#pragma once

#include "plan/apply.h"

/* The sample that it is made for. */
#define WORST_CASE_FRAME ((struct frame){ 640, 480 })
#define WORST_CASE_PIXELS ((struct pixel_kind){ PIXEL_U8, 3 })

/* An op that is a step has its own values; what a transform may emit has the transform's where both
 * have a parameter of one name and kind, and those of its example else, and counts as linear only
 * if it always is. Steps whose chance is 0 emit nothing. An op that cannot be done to what it meets
 * is there, and does nothing. All in the arena; the frame and the pixels that are left. */
struct frame plan_worst_case(const struct plan *, struct arena *, struct drawn_ops *,
                             struct pixel_kind *out);
