/* panoptic: the index of a COCO panoptic file: the positions of its elements, and their references
 * to each other. */
#pragma once

#include "labels/coco/images.h"

/* An annotation. */
struct segment_annotation {
    uint64_t offset;
    uint32_t length : 30, deviates : 1; /* in a way that is repaired */
    uint32_t repeated : 1;              /* it repeats an earlier one, and is dropped */
    uint32_t record;
    uint32_t first; /* index of its first segment, in a list of all segments */
};

struct panoptic {
    struct slice text;
    struct coco_image *images; /* one per record; first: its annotation, or NO_SEGMENTS */
    struct segment_annotation *annotations; /* in the file's order */
    uint32_t *ids;            /* of the segments of annotation 0, of annotation 1, ... */
    struct document document; /* the top level */
    struct categories categories;
};
#define NO_SEGMENTS UINT32_MAX

/* Lists of the document that are walked. */
enum { PANOPTIC_IMAGES, PANOPTIC_ANNOTATIONS, PANOPTIC_CATEGORIES, PANOPTIC_WALKS };

static inline struct slice panoptic_text(struct slice file, const struct segment_annotation *a)
{
    return (struct slice){ file.at + a->offset, a->length };
}

/* The functions of struct format. Additional faults: coco-segments-twice, coco-segment-twice, and
 * coco-segment-id. */
bool coco_panoptic_detect(const struct glance *);
bool coco_panoptic_read(struct faults *, struct dataset *);
/* Returns the default folder of a file's pictures: next to the file, named like it without the
 * suffix. */
const char *coco_panoptic_folder(const char *path, struct arena *);
