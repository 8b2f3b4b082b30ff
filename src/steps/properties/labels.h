/* labels: a sample with labels of every kind, for the walks. */
#pragma once

#include "sample/sample.h"

/* Returns a sample with these objects: a box alone, polygons with keypoints, RLE, a box as large as
 * the image, and a tiny box. */
struct sample labels_sample(struct arena *, struct frame);
/* Returns a label mask: a few labels in blocks. */
struct plane labels_mask(struct pool *, struct frame);
