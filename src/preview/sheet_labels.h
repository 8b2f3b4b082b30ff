/* sheet_labels: the labels of one sample drawn over its picture in a contact sheet. */
#pragma once

#include "sample/sample.h"
#include "preview/svg.h"

/* Where a sample is shown: its frame, scaled to a box of the sheet. */
struct view {
    struct box box;
    struct frame frame;
    unsigned id;    /* no other view's */
    double opacity; /* of what fills segmentations */
};

/* Append boxes, segmentations, keypoints and names of a finalized sample. Objects that were dropped
 * are left out, or dashed with `all`. `categories` is what the objects' categories point into: a
 * category has the same colour in all views. */
void sheet_labels(const struct sample *, const struct category *categories, const struct view *,
                  bool all, struct text *svg);

/* What the colours of keypoints mean, in one line that begins at the point. */
void sheet_labels_key(struct point, const struct svg_letters *, struct text *svg);
double sheet_labels_key_width(const struct svg_letters *);

/* The n-th of a list of well distinguishable colours, 0xrrggbb, without end; `shade` 0 is the
 * colour itself, 1 is lighter, 2 darker. */
uint32_t sheet_colour(size_t n, unsigned shade);

/* 0xrrggbb; labels that are ignored are white. */
uint32_t sheet_label_colour(unsigned label, bool ignored);
