/* labels: how box, segmentation, area and crowd of an annotation deviate from COCO. */
#pragma once

#include "element.h"

/* The members in question, in this order in a list of picks. */
enum { LABEL_BBOX, LABEL_SEGMENTATION, LABEL_AREA, LABEL_CROWD, LABELS };

/* Note how they deviate; the set of it. Annotations of other kinds (captions, labels) have neither
 * box nor segmentation, and nothing is missed in them; nor is it in results of a model. */
unsigned coco_labels_look(const struct place *, struct slice element,
                          const struct pick label[LABELS], bool result);

/* iscrowd: 0 or 1, or what deviates from that and is put into the set. False when it is neither. */
bool coco_crowd_read(struct slice value, bool *crowd, unsigned *set);
