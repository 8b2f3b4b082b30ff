/* annotations: the list of annotations of COCO's JSON files: where each stands, and of which image
 * it is. Indices are 32-bit: they are what a large file costs. */
#pragma once

#include "labels/coco/images.h"

struct coco_stretch {
    uint64_t offset;
    int64_t id;                         /* COCO_NO_ID: it has none */
    uint32_t length : 30, deviates : 1; /* in a way that is repaired */
    uint32_t flat_rle : 1;              /* its segmentation is a flat list of counts */
    uint32_t index;                     /* in the file's list */
};

/* As they stay with a dataset. */
struct coco_annotations {
    struct slice text;
    const char *list; /* its name, for faults; "" when it is the whole file */
    bool results;     /* they are what a model found: without ids, keypoints of any visibility */
    struct coco_stretch *at;         /* those of record 0, of record 1, ... */
    const struct coco_image *images; /* one a record, of which `first` is said here */
    const struct record *records;
    const struct categories *categories;
};

/* While a file is read. The piles are the caller's to free. */
struct coco_annotations_reader {
    struct faults *faults;
    struct arena *arena;         /* the dataset's */
    struct coco_annotations *to; /* text, list, results and categories are set before */
    struct pile at;              /* struct coco_stretch */
    struct pile claims;          /* which image and category each says it has */
    struct pile loose;           /* struct slice: names of members that hold geometry */
    struct pile flat;            /* uint32_t: those whose segmentation is a flat list */
    enum id_kind ids, image_ids; /* what their ids are; of images where these are not listed */
    bool listless;               /* there is no list of images: see coco_annotations_list */
    size_t n_repeated;           /* annotations that are left out */
    const struct place *place;   /* of the one that is read */
    bool quoted;                 /* it has numbers in quotes */
    bool attributes;             /* some have "attributes", as CVAT has */
    struct pick_order order;     /* of their members */
    struct fault *unnamed;       /* see struct dataset; NULL while there is none */
};

/* Consume one element. With faults it is kept, too, so that indices stay those of the file. */
void coco_annotations_read(struct coco_annotations_reader *, struct scan *, const struct place *);

/* Give each annotation its record, by the sorted ids of n images. One whose image is not there is a
 * fault (coco-image-unknown), one whose category is not there deviates (coco-category-unknown).
 * Without a list of categories their ids are only carried. */
void coco_annotations_link(struct coco_annotations_reader *, const struct id *images, size_t n,
                           bool has_categories);

/* Without a list of images: the images that the annotations name become the dataset's records, of
 * unknown size, and the ids of their categories its categories, named by their digits. Links, too.
 */
void coco_annotations_list(struct coco_annotations_reader *, struct dataset *, struct categories *);

/* Annotations that repeat an earlier one are left out; others that share an id are faults. `ids`
 * has room for one per annotation. To be called after linking. */
void coco_annotations_check_ids(struct coco_annotations_reader *, struct id *ids);

/* Drops what reading needs. */
void coco_annotations_reader_drop(struct coco_annotations_reader *);

/* What was read becomes the dataset's: grouped by its records, in the file's order. Sets n_objects
 * of each and in all, `first` of the images, and the largest id. Faults (coco-polygon) where a flat
 * list is no segmentation. */
void coco_annotations_keep(const struct coco_annotations_reader *, struct dataset *,
                           struct coco_image *images);

/* What a format does with them: see format.h. */
bool coco_annotations_load(const struct coco_annotations *, const struct dataset *, size_t record,
                           const struct rules *, struct sample *, struct faults *);
void coco_annotations_print(const struct coco_annotations *, size_t record, const struct object *,
                            const struct output *, const struct rules *, struct text *);
bool coco_annotations_stays(const struct coco_annotations *, size_t record, const struct object *,
                            const struct output *);
struct slice coco_annotations_find(const struct coco_annotations *, const struct dataset *,
                                   size_t record, size_t i, size_t *order);
/* See visit_extras: members that struct object does not have. */
void coco_annotations_visit(const struct coco_annotations *, size_t record, const struct object *,
                            void (*visit)(void *context, const struct extra *), void *context);
/* Its place in the list where it has no id. */
int64_t coco_annotations_id(const struct coco_annotations *, size_t record, const struct object *);
