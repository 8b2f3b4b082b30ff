/* annotation: converts one element of "annotations" in COCO's JSON files to an object and back. */
#pragma once

#include "labels/coco/annotation_element.h"

/* An annotation in its file, and what it refers to. */
struct coco_annotation {
    struct slice text;  /* a part of the faults' text */
    struct frame frame; /* of its image; the width is 0 if unknown */
    const struct categories *categories;
    bool result;           /* from a model: visibilities of keypoints may be any numbers */
    int64_t id, image;     /* its id, or COCO_NO_ID; the id of its image's record */
    uint32_t index;        /* in the file's list */
    bool deviates;         /* in a way that is repaired: it is not copied unchanged */
    struct frame flat_rle; /* its size, if the segmentation is a flat list of counts */
};

/* Fills in an object, zeroed before; its parts are in the arena. False with faults (coco-bbox,
 * coco-polygon, coco-rle, coco-keypoints, coco-type) if something is wrong with it. */
bool coco_annotation_load(const struct coco_annotation *, const struct place *, struct pick_order *,
                          const struct rules *, struct arena *, struct object *);

/* True if the element is unchanged after the run. */
static inline bool coco_annotation_is_unchanged(const struct coco_annotation *a,
                                                const struct object *o, const struct output *out)
{
    return !object_is_touched(o) && out->of <= 1 && !out->numbered && !a->deviates;
}
/* Appends the element as it is after the run: a copy of the source, except for members that changed
 * with the object, and repairs. */
void coco_annotation_print(const struct coco_annotation *, const struct object *,
                           const struct output *, const struct rules *, struct text *);
