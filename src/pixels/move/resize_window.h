/* resize_window: the weights of a resize along one axis, only for resize*.c. */
#pragma once

#include "pixels/plane.h"

/* The sampling of an axis: by a filter, or by means of `samples` samples if this is not 0. */
struct kernel {
    enum interpolation interpolation;
    bool antialias;
    int samples;
};

/* Sets the weights of output index k of an axis of `in` source samples, from sample *first on, all
 * inside. Returns their number. `weight` has room for in + 8. They sum to 1, except for means that
 * include samples outside. */
int resize_window(const struct kernel *, const struct stretch *, int k, int in, double *weight,
                  int *first);
