/* resize_axis: the weights of a resize along an axis, and its loops for bytes; only for
 * resize*.c. */
#pragma once

#include "pixels/move/resize_window.h"

/* The source samples of each output index k of an axis: `taps` samples from first[k] on, with the
 * weights from weight[k * taps] on. All windows have the same width and are inside the source;
 * spare weights are 0. `first` never decreases, on which the ring relies. */
struct axis {
    int taps;
    int32_t *first;
    float *weight;
};

/* The part of an axis to make: `n` output indices from `first` on. The part of the source that is
 * present: `have` samples from index `begin` on. */
struct extent {
    int first, n, begin, have;
};

/* An axis of a resize: its sampling, the number of source samples, and the part to make. */
struct side {
    const struct kernel *by;
    const struct stretch *stretch;
    int in;
    struct extent extent;
};

/* Returns the weights of an axis of `in` samples; axis_drop frees them. */
struct axis axis_make(const struct kernel *, const struct stretch *, int in, const struct extent *);
void axis_drop(struct axis *);

/* Begins a resize as resizer_begin does, for bytes and nonnegative weights. Returns NULL
 * otherwise. */
struct resizer_bytes;
struct resizer_bytes *resizer_bytes_begin(const struct plane *in, struct plane *out,
                                          const struct side *x, const struct side *y);
void resizer_bytes_rows(struct resizer_bytes *, int y0, int y1);
void resizer_bytes_end(struct resizer_bytes *);

/* True if there is a loop for means of two samples each way. */
bool resize_can_halve(enum pixel_type);
/* True if all outputs are means of two samples each way, and resize_half_row can make them. */
bool resize_is_half(enum pixel_type, const struct axis *x, int width, const struct axis *y,
                    int height);
/* Makes row y of the output, which begins with the means around the corner (left, top). */
void resize_half_row(const struct plane *in, int left, int top, struct plane *out, int y);
