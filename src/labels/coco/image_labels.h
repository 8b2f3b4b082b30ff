/* image_labels: classes of a whole image, as members of its element in "images":
 *
 *   "category_id": 3
 *   "category_ids": [3, 5]                                  each with weight 1
 *   "category_ids": [{"category_id": 3, "weight": 0.7}, 5]
 */
#pragma once

#include "labels/coco/annotation_element.h"

struct image_labels {
    const struct image_label *at;
    size_t n;
};

/* Read those of an element, into the arena. False with faults: coco-type, label-class where no
 * category has the id, label-twice, label-weight. */
bool coco_image_labels_read(const struct place *, struct slice element, const struct categories *,
                            struct arena *, struct image_labels *);

/* A weight: 0..1. False with a fault (label-weight). */
bool coco_label_weight_read(const struct place *, struct slice value, const char *member,
                            double *weight);

/* Is the member of an image's element one with labels? */
bool coco_image_labels_are(struct slice name);
/* The name of such a member was printed: its name and value become those of the output. What
 * the source has as a list stays one. */
void coco_image_labels_replace(struct slice name, struct slice source, const struct output *,
                               struct text *);
/* Append a member to an element that had none. */
void coco_image_labels_add(const struct output *, struct text *);
