/* labels: how box, segmentation, area and crowd of an annotation deviate from COCO. */
#pragma once

#include "labels/coco/annotation_element.h"
#include "labels/coco/flat_list.h"

/* The members in question, in this order in a list of picks. */
enum { LABEL_BBOX, LABEL_SEGMENTATION, LABEL_AREA, LABEL_CROWD, LABELS };

/* Notes how they deviate, and returns the set. `plain` is the same as `label` without quotes round
 * numbers. Annotations of other kinds (captions, labels) have neither box nor segmentation, and
 * nothing is missed in them; nor is it in results of a model. A segmentation that is one flat list
 * of numbers is not noted: coco_flat_list_look does that. */
unsigned coco_labels_look(const struct place *, struct slice element,
                          const struct pick label[LABELS], const struct pick plain[LABELS],
                          bool result);

/* Judges the flat list of an annotation, with or without quotes round its numbers; `image` is the
 * size of its image, 0 x 0 where that is not known. */
enum flat_list coco_flat_list_judge(struct slice element, struct frame image);
/* Notes what the flat list of an annotation is. Returns that size if it is RLE, else 0 x 0. A fault
 * (coco-polygon) where it is neither RLE nor a polygon. */
struct frame coco_flat_list_look(const struct place *, struct slice element, struct frame image);

/* iscrowd: 0 or 1, or what deviates from that and is put into the set. False when it is neither. */
bool coco_crowd_read(struct slice value, bool *crowd, unsigned *set);
/* Notes what coco_crowd_read put into a set. */
void coco_crowd_note(const struct place *, struct slice value, unsigned set);
