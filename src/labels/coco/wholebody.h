/* wholebody: the members of COCO-WholeBody for a person: feet, a face and two hands, each with
 * keypoints and whether they are valid; face and hands also with a box. Invalid parts are all
 * zeros. Format: https://github.com/jin-s13/COCO-WholeBody/blob/master/data_format.md */
#pragma once

#include "labels/coco/annotation_element.h"

/* Number of keys that an annotation may have for them. */
enum { COCO_PART_KEYS = 13 };

/* Sets the names, to be picked with the others. */
void coco_parts_pick(struct pick[COCO_PART_KEYS]);

/* Adds the picked members to the object as parts. False with faults: coco-keypoints, coco-bbox,
 * coco-type, and coco-missing-key if only one hand has a key, since a mirror swaps them. */
bool coco_parts_load(const struct place *, const struct pick[COCO_PART_KEYS], const struct rules *,
                     struct arena *, struct object *);

/* Appends the value of a key of the annotation `element`. False, with nothing appended, if the key
 * is not a part's or did not change. Other properties of a hand, such as "lefthand_score", are
 * swapped with the other hand's in a mirror, unchanged. */
bool coco_part_print(const struct object *, const struct rules *, struct slice element,
                     struct slice key, struct slice source, struct text *);
