/* error_gain: how much ops on colors amplify an error of a few levels. */
#pragma once

#include "plan/apply.h"

/* Returns the gain of the ops from index `first` on, one after another; at least 1. Ops that must
 * see pixels are resolved for an image of mean luma 128. Ops that spread its histogram can amplify
 * any difference. */
double gain_after(const struct resolved_ops *, size_t first, struct arena *);

/* Returns the largest product of luma factors over consecutive linear color ops; at least 1. Any
 * run of ops counts: colors that one op clamps are lost even if the next op darkens them. Ops that
 * must see pixels are resolved as above. */
double luma_gain(const struct resolved_ops *, struct arena *);
