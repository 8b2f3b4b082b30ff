/* sample_view: what steps see that look at the sample. */
#pragma once

#include "steps/transform.h"

/* See run_objects. */
const struct seen *view_objects(const struct sample *, const struct rules *, size_t *n);

/* A pixel of the n objects, each as likely; see run_pixel_of_objects. False when they have none. */
bool view_pixel(const struct seen *, size_t n, const struct sample *, struct rng *, int *x, int *y);

/* The same of a label mask of one channel, with the labels in `ignore` taken for 0. */
bool view_mask_pixel(const struct plane *, const struct list *ignore, struct rng *, int *x, int *y);

/* How labels of a window of the mask share its pixels; see run_label_shares. */
struct label_shares view_label_shares(const struct plane *, struct rect, int except);
