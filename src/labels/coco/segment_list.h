/* segment_list: the list of segments of a panoptic annotation: "segments_info". */
#pragma once

#include "labels/coco/annotation_element.h"

struct coco_segment {
    int64_t id;                     /* 1 .. LARGEST_SEGMENT */
    int64_t category;               /* or COCO_NO_ID */
    struct slice category_at, text; /* the whole segment */
    bool crowd;
    bool deviates; /* in a way that is repaired */
};

/* Iterates over a list; `place` is the last segment's. */
struct coco_segments {
    struct scan scan;
    struct place place;
    struct pick_order order;
    char list[48]; /* "annotations[17].segments_info" */
    bool first, good;
};

/* Starts with the list of the index-th annotation, which is a part of the faults' text. */
void coco_segments_begin(struct coco_segments *, struct faults *, struct slice annotation,
                         size_t index);
/* Returns the next segment. False after the last, or with a fault (coco-type, coco-missing-key,
 * coco-segment-id) and `good` false. */
bool coco_segments_next(struct coco_segments *, struct coco_segment *);
/* Returns the text of the id of an annotation's index-th segment; both were read before. */
struct slice coco_segment_id_at(struct slice annotation, size_t index);
