/* segments: the picture of a panoptic annotation. Each pixel's color is the id of its segment: red
 * + 256 green + 65536 blue; 0: no segment. */
#pragma once

#include "labels/coco/annotation_element.h"

enum { LARGEST_SEGMENT = 0xffffff };

/* A pixel with an id that no segment has. */
struct coco_unknown_segment {
    uint32_t id;
    int x, y;
};

/* Stores the masks of n segments, at the indices of their ids, which are sorted; segments without
 * pixels get an empty mask. False with the first pixel of an unknown segment, if there is one. The
 * picture has three channels of 8 bits. */
bool coco_segments_read(const struct plane *rgb, const struct id *, size_t n, struct arena *,
                        struct rle *masks, struct coco_unknown_segment *);

/* Sets the mask's pixels to this id. */
void coco_segment_paint(const struct rle *, int64_t id, struct plane *rgb);
