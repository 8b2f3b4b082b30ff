/* keypoints: checks the text of an annotation's "keypoints", before they are loaded. */
#pragma once

#include "labels/coco/annotation_element.h"

/* Notes how the picked value deviates from [x, y, v, x, y, v, ...]; returns the set of deviations.
 * `plain` is the value without quotes around numbers. */
unsigned coco_keypoints_look(const struct place *, const struct pick *, struct slice plain);

/* True if the value has several keypoints, and any of their numbers is not 0. Its `at` may be NULL.
 */
bool coco_keypoints_are_annotated(struct slice value);

/* If another key of the annotation has exactly n keypoints, appends "; its \"KEY\" fits". */
void coco_keypoints_find(struct slice element, size_t n, struct text *);

/* True if the value is [[x, y, v], ...]: a non-empty list of lists of three. */
bool coco_keypoints_are_triples(struct slice value);
/* Appends triples as one list; the text of numbers is unchanged. */
void coco_keypoints_repair(struct slice value, struct text *);
