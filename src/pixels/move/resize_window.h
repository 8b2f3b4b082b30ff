/* resize_window: the weights of a resize along one axis, only for resize*.c. */
#pragma once

#include "pixels/plane.h"

/* How an axis is sampled: by a filter, or, with `samples`, by means of so many. */
struct kernel {
    enum interpolation interpolation;
    bool antialias;
    int samples;
};

/* The weights of the output index k of an axis of `in` source samples, from sample *first on, all
 * inside; returns how many. `weight` has room for in + 8. They sum to 1, but for means of samples
 * that are outside. */
int resize_window(const struct kernel *, const struct stretch *, int k, int in, double *weight,
                  int *first);
