/* panoptic: the index of a COCO panoptic file: where its elements stand, and what they say of each
 * other. */
#pragma once

#include "labels/coco/images.h"

/* An annotation. */
struct coco_segmented {
    uint64_t offset;
    uint32_t length : 30, deviates : 1; /* in a way that is repaired */
    uint32_t repeated : 1;              /* it repeats an earlier one, and is left out */
    uint32_t record;
    uint32_t first; /* of its segments, in a list of them all */
};

struct panoptic {
    struct slice text;
    struct coco_image *images;          /* one a record; first: its annotation, or NO_SEGMENTS */
    struct coco_segmented *annotations; /* in the file's order */
    uint32_t *ids;                      /* of segments: of annotation 0, of annotation 1, ... */
    struct document document;           /* the top level */
    struct categories categories;
};
#define NO_SEGMENTS UINT32_MAX

/* Lists of the document that are walked. */
enum { PANOPTIC_IMAGES, PANOPTIC_ANNOTATIONS, PANOPTIC_CATEGORIES, PANOPTIC_WALKS };

static inline struct slice panoptic_text(struct slice file, const struct coco_segmented *a)
{
    return (struct slice){ file.at + a->offset, a->length };
}

/* What struct format asks of these. Faults, beside those of lists in common: coco-segments-twice,
 * coco-segment-twice, and coco-segment-id. */
bool coco_panoptic_detect(const struct glance *);
bool coco_panoptic_read(struct faults *, struct dataset *);
/* Returns where a file's pictures are by default: the folder beside it that has its name without
 * the suffix. */
const char *coco_panoptic_folder(const char *path, struct arena *);
