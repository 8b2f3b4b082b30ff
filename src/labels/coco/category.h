/* category: classes of objects from a JSON list, as COCO and its relatives have it:
 * [{"id": 1, "name": "person", "keypoints": [...], "skeleton": [[16, 14], ...]}, ...].
 *
 * Left and right keypoints are paired by their names (flip_names.h; keypoint_layouts.h for the
 * names of some public layouts), or by "flip_pairs", which replaces what names say:
 *
 *   [["left_eye", "right_eye"], [3, 4], ...]   names, or indices from 0 (not 1, as in skeletons)
 *   "300w"                                     the pairs of a public layout with as many keypoints
 *   []                                         there are no pairs
 *
 * Names of a side whose other was not found, and names that say nothing, are noted in the category:
 * they are faults of runs that mirror. Bones that join no two keypoints are left out: they are only
 * drawn, and wrong ones are not rare. */
#pragma once

#include "base/fault.h"
#include "base/id_index.h"
#include "sample/sample.h"

struct categories {
    struct category *at;
    size_t n;
    struct ids_ranges by_id; /* index into `at` */
    bool sure;               /* every id could be read */
    size_t n_listed;         /* elements of the list, repeated ones included */
    const uint32_t *listed;  /* where each category is in the list */
    bool deviates;           /* in a way that is repaired: the list is not written as it stands */
};

/* Read a stretch of faults->text. What is kept lives in the arena. Faults: coco-type,
 * coco-missing-key, coco-id-twice, coco-flip-pairs, and value_parse's. */
bool categories_read(struct faults *, struct slice text, struct arena *, struct categories *);
/* Append the list as COCO would have it. */
void categories_repair(struct slice text, struct text *out);
/* The category with this id has annotated keypoints. */
void categories_set_annotated(const struct categories *, int64_t id);
/* The category with this id, or NULL. */
const struct category *categories_find(const struct categories *, int64_t id);
/* Is a list read that lacks this id? Captions have the id 0 with an empty list: it lacks nothing.
 */
bool categories_lack(const struct categories *, int64_t id);
