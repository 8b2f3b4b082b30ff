/* keypoint_layouts: public keypoint layouts, whose owners say which points change places in a
 * mirror.
 *
 * A data file, for lists of names that say no sides: numbers ("kpt-7"), or no names at all. A
 * category names a layout in its "flip_pairs"; only a list of names that is a layout's own, from
 * the first to the last and with words in it, is recognised by itself. How many points there are
 * says nothing: 300W and 300W-LP, or AP-10K and COCO, have as many. */
#pragma once

#include "base/arena.h"

struct layout {
    const char *name;  /* "300w" */
    size_t n;          /* keypoints */
    const char *pairs; /* indices from 0 that change places: "31-35 0..7-16..9" */
    const char
        *names; /* as its owner has them: "nose face-0..67"; NULL: never recognised by them */
};

/* Layouts 0, 1, ...; NULL after the last. */
const struct layout *layout_at(size_t index);
/* The layout of this name, whatever the case of its letters; NULL when there is none. */
const struct layout *layout_find(const char *name);
/* The layout that has just these names; NULL when there is none. */
const struct layout *layout_of_names(const char *const *names, size_t n);
/* Fills in mirror[i], for each of its keypoints: the one that it changes places with, or i. */
void layout_mirror(const struct layout *, size_t *mirror);
