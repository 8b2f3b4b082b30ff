/* nms: greedy non-maximum suppression: which of several overlapping boxes stay. */
#pragma once

#include "geom/geom.h"

/* A kept box suppresses another one if their IoU is above the threshold or, with `inclusive`, equal
 * to it. */
struct nms_rule {
    double threshold; /* 0..1 */
    bool inclusive;
};

struct nms_box {
    struct box box;
    double score;
};

/* Returns intersection over union; NaN if both boxes have no area. */
double box_iou(struct box, struct box);

static inline bool nms_suppresses(const struct nms_rule *rule, double iou)
{
    return rule->inclusive ? iou >= rule->threshold : iou > rule->threshold;
}

/* Stores the n indices in the order of suppression: by descending score, equal scores in input
 * order. */
void nms_order(const struct nms_box *, size_t n, uint32_t *order);

/* How soft suppression lowers scores: by a factor of 1 - IoU if the IoU is above the threshold, or
 * of exp(-IoU^2 / sigma). */
struct decay_rule {
    bool gaussian;
    double threshold; /* if not gaussian; 0..1 */
    double sigma;     /* if gaussian; above 0 */
};

/* Lowers the scores of n < 2^32 boxes in place (Bodla et al., Soft-NMS, 2017). The box with the
 * highest score is taken, the first of equal ones. The scores of all remaining boxes are then
 * multiplied by the rule's factor for their IoU with the taken box. This repeats until all are
 * taken. */
void soft_nms(struct nms_box *, size_t n, const struct decay_rule *);

/* For each of n < 2^32 boxes, sets by[i] to the index of the box that suppresses it, or to i if it
 * stays. Each box, in descending order of scores, is compared with the boxes kept so far; the first
 * match suppresses it. */
void nms(const struct nms_box *, size_t n, const struct nms_rule *, uint32_t *by);
