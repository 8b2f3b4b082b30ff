/* anchors: boxes that codes of boxes are against, from a file beside the pipeline: encode_boxes and
 * decode_boxes take them where the step names none of its own.
 *
 * One table for the process: filled before the first image, constant then, and so the same in all
 * workers, which are forked later. */
#pragma once

#include "base/base.h"
#include "param/param.h"

struct text;

/* Takes n boxes [x, y, width, height], one after the other; a copy is kept. */
void anchors_set(const double *at, size_t n);
struct tuples anchors_given(void);
/* Their number and a hash of them, as text: JSON. Nothing where there are none. */
void anchors_print(struct text *);
