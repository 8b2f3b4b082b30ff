/* labels: how box, segmentation, area and crowd of an annotation deviate from COCO. */
#pragma once

#include "labels/coco/annotation_element.h"
#include "labels/coco/flat_list.h"

/* The members in question, in this order in a list of picks. */
enum { LABEL_BBOX, LABEL_SEGMENTATION, LABEL_AREA, LABEL_CROWD, LABELS };

/* Notes how they deviate, and returns the set of deviations. `plain` is the same as `label` without
 * quotes around numbers. Annotations of other kinds (captions, labels) have neither box nor
 * segmentation: nothing is missing there, and nothing in results of a model. Does not note a
 * segmentation that is a flat list of numbers: coco_flat_list_look does that. */
unsigned coco_labels_look(const struct place *, struct slice element,
                          const struct pick label[LABELS], const struct pick plain[LABELS],
                          bool result);

/* Classifies the flat list of an annotation, with or without quotes around its numbers; `image` is
 * the size of its image, 0 x 0 if unknown. */
enum flat_list coco_flat_list_judge(struct slice element, struct frame image);
/* Notes the kind of the flat list of an annotation. Returns the image's size if it is RLE, else 0 x
 * 0. Adds a fault (coco-polygon) if it is neither RLE nor a polygon. */
struct frame coco_flat_list_look(const struct place *, struct slice element, struct frame image);

/* Reads iscrowd: 0 or 1, or a deviation, which is added to the set. False for anything else. */
bool coco_crowd_read(struct slice value, bool *crowd, unsigned *set);
/* Notes the deviations that coco_crowd_read added to a set. */
void coco_crowd_note(const struct place *, struct slice value, unsigned set);
