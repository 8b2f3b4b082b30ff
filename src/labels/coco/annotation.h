/* annotation: one element of "annotations" of COCO's JSON files, to an object and back. */
#pragma once

#include "labels/coco/annotation_element.h"

/* What the visibility of a keypoint may be. */
enum coco_visibility {
    COCO_VISIBILITY,     /* 0, 1 or 2 */
    COCO_VISIBILITY_ANY, /* any number from 0 */
};

/* An annotation in its file, and what it refers to. */
struct coco_annotation {
    struct slice text;  /* a part of the text that faults name */
    struct frame frame; /* of its image; the width is 0 when that is not known */
    const struct categories *categories;
    bool result;           /* what a model found: its keypoints' visibilities may be any numbers */
    int64_t id, image;     /* its id, or COCO_NO_ID; the id of its image's record */
    uint32_t index;        /* in the file's list */
    bool deviates;         /* in a way that is repaired: it is not copied as it is */
    struct frame flat_rle; /* its size, where the segmentation is a flat list of counts */
};

/* Fill in an object, zeroed before; its parts live in the arena. False with faults (coco-bbox,
 * coco-polygon, coco-rle, coco-keypoints, coco-type) when something is wrong with it. */
bool coco_annotation_load(const struct coco_annotation *, const struct place *, struct pick_order *,
                          const struct rules *, struct arena *, struct object *);

/* Is the element after the run just what it was? */
static inline bool coco_annotation_stays(const struct coco_annotation *a, const struct object *o,
                                         const struct output *out)
{
    return !object_is_touched(o) && out->of <= 1 && !out->numbered && !a->deviates;
}
/* Append the element as it is after the run: as it stands, but for what changes of the object make
 * another, and for what is repaired. */
void coco_annotation_print(const struct coco_annotation *, const struct object *,
                           const struct output *, const struct rules *, struct text *);

/* Single keys of it, to an object and back; what is not there, or an empty list, leaves the object
 * alone. Keypoints are as many as those of its category, if that has any. One with visibility 0
 * has a place unless that is 0, 0. */
bool coco_load_box(const struct place *, const struct pick *, struct arena *, struct object *);
bool coco_load_keypoints(const struct place *, const struct pick *, const struct rules *,
                         enum coco_visibility, struct arena *, struct object *);
void coco_print_box(const struct object *, struct text *);
void coco_print_keypoints(const struct object *, const struct rules *, struct text *);
