/* wholebody: what COCO-WholeBody says of a person beside its keypoints: feet, a face and two hands,
 * each with keypoints and whether they are valid; face and hands with a box, too. Invalid parts are
 * all zeros. Format: https://github.com/jin-s13/COCO-WholeBody/blob/master/data_format.md */
#pragma once

#include "labels/coco/annotation.h"

/* The keys that an annotation may have for them. */
enum { COCO_PART_KEYS = 13 };

/* Name them, to be picked with the others. */
void coco_parts_pick(struct pick[COCO_PART_KEYS]);

/* What was picked becomes the object's parts. False with faults (coco-keypoints, coco-bbox,
 * coco-type; coco-missing-key where one hand has a key that the other has not: in a mirror they
 * change places). */
bool coco_parts_load(const struct place *, const struct pick[COCO_PART_KEYS], const struct rules *,
                     struct arena *, struct object *);

/* Append the value of a key of the annotation `element`; false, with nothing appended, when it is
 * none of a part or stays as it is in the source. What else is known of a hand, as
 * "lefthand_score", changes places with the same of the other hand in a mirror, as it stands. */
bool coco_part_print(const struct object *, const struct rules *, struct slice element,
                     struct slice key, struct slice source, struct text *);
