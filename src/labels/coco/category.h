/* category: classes of objects from a JSON list, in the form of COCO and related formats:
 *
 *   [{"id": 1, "name": "person", "keypoints": [...], "skeleton": [[16, 14], ...]}, ...]
 *
 * Left and right keypoints are paired by their names (flip_names.h; keypoint_layouts.h for the
 * names of some public layouts). "flip_pairs" overrides names:
 *
 *   [["left_eye", "right_eye"], [3, 4], ...]   names, or indices from 0 (not 1, as in skeletons)
 *   "300w"                                     the pairs of a public layout with as many keypoints
 *   []                                         there are no pairs
 *
 * Some names have a side whose other side was not found, or no meaning. They are stored in the
 * category as faults for runs that mirror. Invalid skeleton entries are dropped: they are only
 * drawn, and are not rare. */
#pragma once

#include "base/fault.h"
#include "base/id_index.h"
#include "json/document.h"
#include "sample/sample.h"

struct categories {
    struct category *at;
    size_t n;
    struct ids_ranges by_id; /* index into `at` */
    bool sure;               /* every id could be read */
    size_t n_listed;         /* elements of the list, including repeated ones */
    const uint32_t *listed;  /* index of each category in the list */
    bool deviates;           /* in a way that is repaired: the list is not copied unchanged */
};

/* Reads a part of faults->text into the arena. Faults: coco-type, coco-missing-key, coco-id-twice,
 * coco-flip-pairs, and those of value_parse. */
bool categories_read(struct faults *, struct slice text, struct arena *, struct categories *);
/* Appends the list with its deviations repaired. */
void categories_repair(struct slice text, struct text *out);
/* Replaces the value of each section of this walk, which is a list of categories, by the repaired
 * list. The arena owns the new values. */
void coco_mend_categories(struct document *, size_t walk, struct arena *);
/* Marks the category with this id: it has annotated keypoints. */
void categories_set_annotated(const struct categories *, int64_t id);
/* Returns the category with this id, or NULL. */
const struct category *categories_find(const struct categories *, int64_t id);
/* True if a list was read that lacks this id. Captions have the id 0 with an empty list, which
 * lacks nothing. */
bool categories_lack(const struct categories *, int64_t id);
