/* error_gain: how much an error of a few levels may grow by what ops do to colours. */
#pragma once

#include "plan/apply.h"

/* By how much it may grow by the ops from number `first` on, one after another; at least 1. Ops
 * that must see pixels are taken as for an image of mean luma 128; those that spread its histogram
 * make any step of a level. */
double gain_behind(const struct drawn_ops *, size_t first, struct arena *);

/* The largest product of what linear colour ops in a row multiply luma by; at least 1. The row is
 * any part of the drawn ops: colours that one op cuts off are lost, though the next makes them
 * darker again. Ops that must see pixels are taken as above. */
double luma_gain(const struct drawn_ops *, struct arena *);
