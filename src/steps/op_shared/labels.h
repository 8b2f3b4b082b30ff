/* labels: what ops on detections share: their rows, and the objects that they are about. */
#pragma once

#include "geom/nms.h"
#include "steps/op.h"
#include "steps/op_shared/actions.h"

/* How boxes end: in COCO's files a box is [x, y, width, height] of a region; maskrcnn-benchmark
 * counts pixels from x to x + max(width - 1, 0), both of them belonging to the box, so that none is
 * thinner than a pixel. */
enum box_edges { EDGES_CONTINUOUS, EDGES_INCLUSIVE };
/* What a value must be, beside a limit. */
enum compare { COMPARE_GT, COMPARE_GE };
/* Which boxes come first where only so many stay. */
enum label_order { ORDER_SCORE, ORDER_INDEX };

extern const struct choice edges_choices[], compare_choices[], order_choices[];

/* clang-format off */
#define EDGES_ROW(S)                                                                               \
    CHOICE(S, edges, .preset = "\"continuous\"", .choices = edges_choices,                         \
           .help = "where boxes end")
#define DEFAULT_SCORE_ROW(S)                                                                       \
    OPTIONAL(S, default_score, .preset = "null", .limit = { -1e9, 1e9 }, .usual = { 0, 1 },        \
             .help = "the score of objects that have none; null: the annotations are refused "     \
                     "[score-missing]")
#define SUPPRESS_ROWS(S)                                                                           \
    NUMBER(S, iou_threshold, .preset = "0.5", .limit = { 0, 1 },                                   \
           .help = "of two boxes with a larger IoU the one with the lower score is dropped"),      \
    CHOICE(S, compare, .preset = "\"gt\"", .choices = compare_choices,                             \
           .help = "what the IoU must be, beside the threshold; with `ge` a threshold of 0 drops " \
                   "nothing"),                                                                     \
    EDGES_ROW(S),                                                                                  \
    OPTIONAL(S, max_objects, .preset = "null", .whole = true, .limit = { 0, INFINITY },            \
             .usual = { 0, 5 }, .help = "no more stay of each image; null: all"),                  \
    CHOICE(S, order, .preset = "\"score\"", .choices = order_choices,                              \
           .help = "which of them `max_objects` keeps; the file keeps its order"),                 \
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

/* An object that a model found, or that counts as one. */
struct detection {
    struct object *object;
    struct nms_box scored;
};

struct detections {
    struct detection *at;
    size_t n;
};

/* The sample's objects with a box and a score, or the default one, in its arena and order: but for
 * crowds, and those that are dropped already. */
struct detections detections_of(struct sample *, const struct rules *, enum box_edges,
                                const struct optional *default_score);
/* A box that begins at a corner, as `edges` has it end. */
struct box edges_box(struct point corner, struct point size, enum box_edges);

/* Brings detections of a category together; each category's keep their order. */
void detections_by_category(struct detections *);
/* The stretch of them, from `from` on, that is of one category: its end. */
size_t detections_end(const struct detections *, size_t from);

/* Objects of each category `from` become those of the category `to` of the same place. */
void relabel_objects(struct sample *, const struct names *from, const struct names *to);

/* Suppresses detections by one another; `reason` is why they are dropped. */
void detections_suppress(const struct detections *, const struct suppress *, const char *reason);
/* Drops all but the first `most` of those that stay, by the order. */
void detections_limit(const struct detections *, size_t most, enum label_order);
