/* labels: a sample with labels of every kind, for what walks the registry. */
#pragma once

#include "sample/sample.h"

/* Objects that are a box alone, polygons with keypoints, RLE, a box as large as the image,
 * and a tiny one. */
struct sample labels_sample(struct arena *, struct frame);
/* A label mask: a few labels in blocks. */
struct plane labels_mask(struct pool *, struct frame);
