/* nms: which of boxes that lie over each other stay: greedy non-maximum suppression. */
#pragma once

#include "geom/geom.h"

/* A box is suppressed by one that stays where their IoU is above the threshold; with `inclusive`
 * where it is equal to it, too. */
struct nms_rule {
    double threshold; /* 0..1 */
    bool inclusive;
};

struct nms_box {
    struct box box;
    double score;
};

/* Intersection over union; not a number where both boxes have no area. */
double box_iou(struct box, struct box);

static inline bool nms_suppresses(const struct nms_rule *rule, double iou)
{
    return rule->inclusive ? iou >= rule->threshold : iou > rule->threshold;
}

/* The order that suppression goes in: descending scores, equal ones as they come. `order` gets the
 * n indices. */
void nms_order(const struct nms_box *, size_t n, uint32_t *order);

/* How soft suppression lowers scores: by 1 - IoU where the IoU is above the threshold, or by
 * exp(-IoU^2 / sigma). */
struct decay_rule {
    bool gaussian;
    double threshold; /* if not gaussian; 0..1 */
    double sigma;     /* if gaussian; above 0 */
};

/* Lowers the scores of n < 2^32 boxes in place (Bodla et al., Soft-NMS, 2017). The box with the
 * highest score is taken, of equal ones the first. The scores of all boxes that are left are then
 * multiplied by what the rule says of their IoU with the taken box. This repeats until all are
 * taken. */
void soft_nms(struct nms_box *, size_t n, const struct decay_rule *);

/* Sets by[i], of each of n < 2^32 boxes, to the index of the one that suppresses it, or to i: then
 * it stays. The result is that of comparing each box, in descending order of scores, with all that
 * stay so far, and taking the first one of them that suppresses it. */
void nms(const struct nms_box *, size_t n, const struct nms_rule *, uint32_t *by);
