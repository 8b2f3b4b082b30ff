/* sheet_labels: draws the labels of a sample over its picture in a contact sheet. */
#pragma once

#include "sample/sample.h"
#include "preview/svg.h"

/* The place where a sample is shown: its frame, scaled to a box of the sheet. */
struct view {
    struct box box;
    struct frame frame;
    unsigned id;    /* unique among all views */
    double opacity; /* opacity of segmentations' interior */
};

/* Appends boxes, segmentations, keypoints and names of a finalized sample. Dropped objects are left
 * out or, with `all`, dashed. The objects' categories point into `categories`: a category has the
 * same color in all views. */
void sheet_labels(const struct sample *, const struct category *categories, const struct view *,
                  bool all, struct text *svg);

/* Appends the legend of the keypoints' colors, one line that starts at the point. */
void sheet_labels_key(struct point, const struct svg_letters *, struct text *svg);
double sheet_labels_key_width(const struct svg_letters *);

/* Returns the n-th of an endless list of distinct colors, 0xrrggbb. `shade` 0 is the color itself,
 * 1 is lighter, 2 darker. */
uint32_t sheet_colour(size_t n, unsigned shade);

/* Returns the color of a label, 0xrrggbb; ignored labels are white. */
uint32_t sheet_label_colour(unsigned label, bool ignored);
