/* members: the box and the keypoints of an annotation or of a part, to an object and back. */
#pragma once

#include "labels/coco/annotation_element.h"

/* Which visibilities a keypoint may have. */
enum coco_visibility {
    COCO_VISIBILITY,     /* 0, 1 or 2 */
    COCO_VISIBILITY_ANY, /* any number from 0 */
};

/* Load a member into the object. If the member is missing, null or an empty list, the object stays
 * as it is. False with a fault (coco-bbox, coco-keypoints) if the value is wrong. */
bool coco_load_box(const struct place *, const struct pick *, struct arena *, struct object *);
/* If the object's category has keypoints, their number must be the same. A keypoint with
 * visibility 0 has a position unless both coordinates are 0. `element` is the annotation that has
 * the member, to suggest another member in a fault, or is empty. */
bool coco_load_keypoints(const struct place *, const struct pick *, struct slice element,
                         const struct rules *, enum coco_visibility, struct arena *,
                         struct object *);

/* Append the value of a member as JSON. */
void coco_print_four(const double v[4], struct text *);
void coco_print_box(const struct object *, struct text *);
void coco_print_keypoints(const struct object *, const struct rules *, struct text *);
/* True if the value is null, or an empty text, list or object. */
bool coco_is_nothing(struct slice value);
