/* box_code: boxes as what they differ by from others, their anchors, as detectors learn them: the
 * shift of the middle as shares of the anchor's sides, and the logarithms of what the sides are
 * multiplied by, each times a weight (Girshick, Fast R-CNN, 2015; maskrcnn-benchmark's BoxCoder).
 */
#pragma once

#include "steps/emit.h"
#include "steps/op_shared/labels.h"

/* What encode_boxes and decode_boxes have in common. */
struct coding {
    struct tuples anchors;
    struct list weights;
    int edges; /* enum box_edges */
};

/* clang-format off */
#define CODING_ROWS(S)                                                                             \
    TUPLES(S, anchors, .preset = "[]", .least = 0, .most = 4, .unit = "pixels",                    \
           .limit = { -10000000, 10000000 },                                                       \
           .help = "anchors, each as [x, y, width, height]; where there are none here, those of "  \
                   "the file that --anchors names. An object's own is the member \"anchor\" of "   \
                   "its annotation: such a box, or the number of one of these, from 0"),           \
    LIST(S, weights, .preset = "[1, 1, 1, 1]", .least = 4, .most = 4, .limit = { 0, 1000000 },     \
         .above = true, .usual = { 1, 10 },                                                        \
         .help = "what the four numbers of a code, [dx, dy, dw, dh], are multiplied by"),          \
    EDGES_ROW(S)
/* clang-format on */

/* The object's anchor by the member "anchor"; `found` is false where it has none. False with the
 * reason when that is no box with an area, and not the number of an anchor. */
bool coding_anchor(const struct coding *, const struct object *, struct arena *, struct box *,
                   bool *found, struct text *why);
/* A box with an area against an anchor with one. */
void box_encode(const struct coding *, struct box anchor, struct box target, double code[4]);
/* And back: the sides are the anchor's times at most e to the power of `clip`. */
struct box box_decode(const struct coding *, struct box anchor, const double code[4], double clip);
