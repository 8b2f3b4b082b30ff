/* keypoints: what an annotation's "keypoints" look like in the text, before they are loaded. */
#pragma once

#include "labels/coco/annotation_element.h"

/* Notes how the picked value deviates from [x, y, v, x, y, v, ...]; returns the set of it. `plain`
 * is the value without quotes round numbers. */
unsigned coco_keypoints_look(const struct place *, const struct pick *, struct slice plain);

/* Are there several keypoints in the value, and is any of their numbers not 0? Its `at` may be
 * NULL.
 */
bool coco_keypoints_are_annotated(struct slice value);

/* Where another key of the annotation has just n keypoints, append "; its \"KEY\" fits". */
void coco_keypoints_find(struct slice element, size_t n, struct text *);

/* [[x, y, v], ...]: every element of the list is a list of three, and there is one at least. */
bool coco_keypoints_are_triples(struct slice value);
/* Append triples as one list; every number stays as it stands. */
void coco_keypoints_repair(struct slice value, struct text *);
