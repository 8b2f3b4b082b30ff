/* labels: parameters that ops on detections share, and the objects that these ops use. */
#pragma once

#include "geom/nms.h"
#include "steps/op.h"
#include "steps/op_shared/actions.h"

/* Where boxes end. In COCO files a box is [x, y, width, height] of a region. maskrcnn-benchmark
 * counts pixels from x to x + max(width - 1, 0), inclusive, so every box is at least 1 pixel wide.
 */
enum box_edges { EDGES_CONTINUOUS, EDGES_INCLUSIVE };
/* The comparison of a value with a limit. */
enum compare { COMPARE_GT, COMPARE_GE };
/* Which boxes are kept first if their number is limited. */
enum label_order { ORDER_SCORE, ORDER_INDEX };

extern const struct choice edges_choices[], compare_choices[], order_choices[];

/* clang-format off */
#define EDGES_ROW(S)                                                                               \
    CHOICE(S, edges, .preset = "\"continuous\"", .choices = edges_choices,                         \
           .help = "how the end of a box is counted")
#define DEFAULT_SCORE_ROW(S)                                                                       \
    OPTIONAL(S, default_score, .preset = "null", .limit = { -1e9, 1e9 }, .usual = { 0, 1 },        \
             .help = "the score of objects without one; null: such annotations are refused "       \
                     "[score-missing]")
#define SUPPRESS_ROWS(S)                                                                           \
    NUMBER(S, iou_threshold, .preset = "0.5", .limit = { 0, 1 },                                   \
           .help = "if the IoU of two boxes exceeds this, the box with the lower score is "        \
                   "dropped"),                                                                     \
    CHOICE(S, compare, .preset = "\"gt\"", .choices = compare_choices,                             \
           .help = "how the IoU is compared with the threshold; with `ge`, a threshold of 0 "      \
                   "drops nothing"),                                                               \
    EDGES_ROW(S),                                                                                  \
    OPTIONAL(S, max_objects, .preset = "null", .whole = true, .limit = { 0, INFINITY },            \
             .usual = { 0, 5 }, .help = "the maximum number of boxes per image; null: no limit"),  \
    CHOICE(S, order, .preset = "\"score\"", .choices = order_choices,                              \
           .help = "which boxes `max_objects` keeps; the order in the file stays"),                \
    DEFAULT_SCORE_ROW(S)
/* clang-format on */

/* The values of SUPPRESS_ROWS. */
struct suppress {
    double iou_threshold;
    int compare, edges; /* enums compare, edges */
    struct optional max_objects;
    int order; /* enum label_order */
    struct optional default_score;
};

/* An object that a model detected, or that is treated as one. */
struct detection {
    struct object *object;
    struct nms_box scored;
};

struct detections {
    struct detection *at;
    size_t n;
};

/* Returns the sample's objects that have a box and a score (or get the default
 * score), in the sample's arena and order. Skips crowds and dropped objects. */
struct detections detections_of(struct sample *, const struct rules *, enum box_edges,
                                const struct optional *default_score);
/* Returns the box that begins at a corner; `edges` says how its end is counted.
 */
struct box edges_box(struct point corner, struct point size, enum box_edges);

/* Groups detections by category; within a category their order stays. */
void detections_by_category(struct detections *);
/* Returns the end of the run of detections of one category that begins at
 * `from`. */
size_t detections_end(const struct detections *, size_t from);

/* Changes the category of objects and of the image's labels: from[i] becomes to[i], or to[0] if
 * that is the only one. If `to` is NULL, drops them. */
void relabel_objects(struct sample *, const struct names *from, const struct names *to);

/* Suppresses detections by one another; `reason` is why they are dropped. */
void detections_suppress(const struct detections *, const struct suppress *, const char *reason);
/* Drops all but the first `max` of the remaining detections, by the order. */
void detections_limit(const struct detections *, size_t max, enum label_order);
