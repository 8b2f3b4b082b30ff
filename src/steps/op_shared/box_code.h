/* box_code: boxes as differences from anchor boxes, as detectors learn them. A code has the shift
 * of the center in units of the anchor's sides, and the logarithms of the factors of the sides.
 * Each number is multiplied by a weight. Source: Girshick, Fast R-CNN, 2015; BoxCoder of
 * maskrcnn-benchmark. */
#pragma once

#include "steps/emit.h"
#include "steps/op_shared/labels.h"

/* Parameters that encode_boxes and decode_boxes share. */
struct code_params {
    struct tuples anchors;
    struct list weights;
    int edges; /* enum box_edges */
};

/* clang-format off */
#define CODING_ROWS(S)                                                                             \
    TUPLES(S, anchors, .preset = "[]", .least = 0, .most = 4, .unit = "pixels",                    \
           .limit = { -10000000, 10000000 },                                                       \
           .help = "anchors, each as [x, y, width, height]; if empty, those of the file of "       \
                   "--anchors. An object's anchor is the member \"anchor\" of its annotation: "    \
                   "such a box, or the index of an anchor, from 0"),                               \
    LIST(S, weights, .preset = "[1, 1, 1, 1]", .least = 4, .most = 4, .limit = { 0, 1000000 },     \
         .above = true, .usual = { 1, 10 },                                                        \
         .help = "weights of the four numbers of a code, [dx, dy, dw, dh]"),                       \
    EDGES_ROW(S)
/* clang-format on */

/* Finds the object's anchor by the member "anchor"; `found` becomes false if it has none. Returns
 * false with the reason if the member is neither a box with an area nor the number of an anchor. */
bool find_anchor(const struct code_params *, const struct object *, struct arena *, struct box *,
                 bool *found, struct text *why);
/* Encodes a box relative to an anchor; both must have an area. */
void box_encode(const struct code_params *, struct box anchor, struct box target, double code[4]);
/* Decodes a code: the inverse of box_encode. The sides are at most e^`clip` times the anchor's. */
struct box box_decode(const struct code_params *, struct box anchor, const double code[4],
                      double clip);
