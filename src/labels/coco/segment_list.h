/* segment_list: what a panoptic annotation says of its segments: "segments_info". */
#pragma once

#include "labels/coco/annotation_element.h"

struct coco_segment {
    int64_t id;                     /* 1 .. LARGEST_SEGMENT */
    int64_t category;               /* or COCO_NO_ID */
    struct slice category_at, text; /* the whole segment */
    bool crowd;
    bool deviates; /* in a way that is repaired */
};

/* On the way through a list; `place` is that of the segment given last. */
struct coco_segments {
    struct scan scan;
    struct place place;
    struct pick_order order;
    char list[48]; /* "annotations[17].segments_info" */
    bool first, good;
};

/* The list of the index-th annotation, whose text is a part of that of the faults. */
void coco_segments_begin(struct coco_segments *, struct faults *, struct slice annotation,
                         size_t index);
/* The next one. False after the last, or with a fault (coco-type, coco-missing-key,
 * coco-segment-id) and `good` false. */
bool coco_segments_next(struct coco_segments *, struct coco_segment *);
/* Where the index-th segment of an annotation, both read before, has its id. */
struct slice coco_segment_id_at(struct slice annotation, size_t index);
