/* sample_view: the sample as steps see it. */
#pragma once

#include "steps/transform.h"

/* See run_objects. */
const struct kept_object *view_objects(const struct sample *, const struct rules *, size_t *n);

/* Samples a pixel of the n objects, all equally likely; see run_pixel_of_objects. Returns false if
 * the objects have no pixels. */
bool view_pixel(const struct kept_object *, size_t n, const struct sample *, struct rng *, int *x,
                int *y);

/* Samples a pixel of a label mask of one channel. Labels in `ignore` count as 0. */
bool view_mask_pixel(const struct plane *, const struct list *ignore, struct rng *, int *x, int *y);

/* Returns how labels share the pixels of a window of the mask; see run_label_shares. */
struct label_shares view_label_shares(const struct plane *, struct rect, int except);
