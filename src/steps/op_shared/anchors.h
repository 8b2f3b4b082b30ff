/* anchors: the anchor boxes that box codes refer to, from a file next to the pipeline. encode_boxes
 * and decode_boxes use them if the step has no `anchors`.
 *
 * There is one table per process. It is filled before the first image and does not change later.
 * Workers are forked afterwards and inherit it. */
#pragma once

#include "base/base.h"
#include "param/param.h"

struct text;

/* Stores a copy of n boxes [x, y, width, height], one after the other. */
void anchors_set(const double *at, size_t n);
struct tuples anchors_given(void);
/* Prints the number of anchors and their hash as JSON; nothing if there are no anchors. */
void anchors_print(struct text *);
