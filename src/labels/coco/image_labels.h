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

/* Reads the labels of an element into the arena. False with faults: coco-type, label-class if no
 * category has the id, label-twice, label-weight. */
bool coco_image_labels_read(const struct place *, struct slice element, const struct categories *,
                            struct arena *, struct image_labels *);

/* Reads a weight, 0..1. False with a fault (label-weight). */
bool coco_label_weight_read(const struct place *, struct slice value, const char *member,
                            double *weight);

/* True if this member of an image's element contains labels. */
bool coco_is_image_label_key(struct slice name);
/* Prints the value of such a member, after its name, with the output's labels. A list in the source
 * stays a list. */
void coco_image_labels_replace(struct slice name, struct slice source, const struct output *,
                               struct text *);
/* Appends a member to an element that had none. */
void coco_image_labels_add(const struct output *, struct text *);
