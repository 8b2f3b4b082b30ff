/* segments: the picture of a panoptic annotation: each pixel's colour is the id of the segment that
 * it belongs to, red + 256 green + 65536 blue; 0 is nobody's. */
#pragma once

#include "labels/coco/annotation_element.h"

enum { LARGEST_SEGMENT = 0xffffff };

/* A pixel with an id that no segment has. */
struct coco_stranger {
    uint32_t id;
    int x, y;
};

/* The masks of n segments by the indices of their ids, which are sorted; those that have no pixel
 * are empty. False with the first stranger when there is one. The picture has three channels of 8
 * bits. */
bool coco_segments_read(const struct plane *rgb, const struct id *, size_t n, struct arena *,
                        struct rle *masks, struct coco_stranger *);

/* Give the mask's pixels this id. */
void coco_segment_paint(const struct rle *, int64_t id, struct plane *rgb);
