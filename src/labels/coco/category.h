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
#include "labels/shared/written_classes.h"

#define CATEGORY_NEW UINT32_MAX

struct categories {
    struct category *at;
    size_t n;
    struct ids_ranges by_id; /* of the file's ids: index into `at` */
    struct slice text;       /* the list in the file; `at` is NULL if there is none */
    /* With --classes, `at` is its list. The categories that it lacks follow, at n and above. */
    const struct class_list *classes;
    bool *told;             /* per category: a fault reports that the list lacks it */
    bool renumbered;        /* a category has another id than in the file */
    bool sure;              /* every id could be read */
    size_t n_listed;        /* elements of the list, including repeated ones */
    const uint32_t *listed; /* index of each category in the list, or CATEGORY_NEW */
    bool deviates;          /* in a way that is repaired: the list is not copied unchanged */
};

/* Reads a part of faults->text into the arena. Faults: coco-type, coco-missing-key, coco-id-twice,
 * coco-flip-pairs, and those of value_parse. */
bool categories_read(struct faults *, struct slice text, struct arena *, struct categories *);
/* Makes the list of --classes the categories. A class keeps the members of the category with its
 * name. If the list has ids, they become the ids; otherwise a category keeps its id, and new
 * classes get ids above all others. */
void categories_pin(struct categories *, const struct class_list *, struct arena *);
/* Pins the categories of a file that was read, if the dataset has such a list; sets the dataset's
 * `categories_text`. `has_list` is set if the file now has categories. Returns false with a fault
 * if the file gives no names to the ids of its categories, and the list gives none either. */
bool categories_pin_dataset(struct categories *, struct dataset *, struct faults *, bool *has_list);
/* Adds a fault (class-unlisted), once per category, if the list of --classes lacks the category
 * with this id. */
void categories_check_listed(const struct categories *, struct faults *, int64_t id,
                             struct slice at, const char *path);
/* Replaces the document's sections of this walk by the written list of categories if that is not
 * the file's; adds a section if there is none. The sections and the list are in the arena. */
struct document categories_in_document(const struct dataset *, const struct categories *,
                                       const struct document *, size_t walk, struct arena *);
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
