/* mend: repairs elements that deviate from COCO. Loading and printing such an element reads the
 * repaired text. */
#pragma once

#include "labels/coco/annotation_element.h"

/* Appends an annotation. `rle` is the size of the image if its segmentation is a flat list of
 * counts (flat_list.h); else its width is 0. */
void coco_annotation_mend(struct slice element, struct frame rle, struct text *);
/* Appends an annotation's segmentation alone. */
void coco_segmentation_mend(struct slice value, struct slice box, struct frame rle, struct text *);
/* Appends a segment of a panoptic annotation. */
void coco_segment_mend(struct slice element, struct text *);
