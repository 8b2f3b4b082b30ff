/* keypoint_layouts: public keypoint layouts, whose owners define the points that swap in a mirror.
 *
 * A data file, for lists of names without sides: numbers ("kpt-7"), or no names at all. A category
 * names a layout in its "flip_pairs". A list of names is recognized only if it equals the layout's
 * complete list and contains words. The number of points identifies no layout: 300W and 300W-LP, or
 * AP-10K and COCO, have the same. */
#pragma once

#include "base/arena.h"

struct layout {
    const char *name;  /* "300w" */
    size_t n;          /* keypoints */
    const char *pairs; /* pairs of indices from 0 that swap: "31-35 0..7-16..9" */
    const char *names; /* the owner's names: "nose face-0..67"; NULL: not recognized by names */
};

/* Layouts 0, 1, ...; NULL after the last. */
const struct layout *layout_at(size_t index);
/* Returns the layout with this name, ignoring case; NULL if there is none. */
const struct layout *layout_find(const char *name);
/* Returns the layout that has exactly these names; NULL if there is none. */
const struct layout *layout_of_names(const char *const *names, size_t n);
/* For each keypoint, sets mirror[i] to the one that it swaps with, or to i. */
void layout_mirror(const struct layout *, size_t *mirror);
