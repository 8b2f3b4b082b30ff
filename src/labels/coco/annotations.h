/* annotations: the list of annotations of COCO's JSON files: the position and the image of each.
 * Indices are 32-bit, since they dominate the memory for a large file. */
#pragma once

#include "labels/coco/images.h"

struct coco_stretch {
    uint64_t offset;
    int64_t id;                         /* COCO_NO_ID: it has none */
    uint32_t length : 30, deviates : 1; /* in a way that is repaired */
    uint32_t flat_rle : 1;              /* its segmentation is a flat list of counts */
    uint32_t index;                     /* in the file's list */
};

/* The annotations, as part of a dataset. */
struct coco_annotations {
    struct slice text;
    const char *list;        /* its name, for faults; "" if the list is the whole file */
    bool results;            /* they are from a model: without ids, keypoints of any visibility */
    struct coco_stretch *at; /* the annotations of record 0, of record 1, ... */
    const struct coco_image *images; /* one per record; `first` is set */
    const struct record *records;
    const struct categories *categories;
};

/* State while a file is read. The caller frees the piles. */
struct coco_annotations_reader {
    struct faults *faults;
    struct arena *arena;         /* the dataset's */
    struct coco_annotations *to; /* text, list, results and categories are set before */
    struct pile at;              /* struct coco_stretch */
    struct pile claims;          /* the image and category that each claims to have */
    struct pile loose;           /* struct slice: names of members that hold geometry */
    struct pile flat;            /* uint32_t: annotations whose segmentation is a flat list */
    enum id_kind ids, image_ids; /* kinds of their ids, and of image ids that no list has */
    bool listless;               /* there is no list of images: see coco_annotations_list */
    size_t n_repeated;           /* annotations that are left out */
    const struct place *place;   /* of the annotation that is being read */
    bool quoted;                 /* it has numbers in quotes */
    bool attributes;             /* some have "attributes", as CVAT has */
    struct pick_order order;     /* of their members */
    struct fault *unnamed;       /* see struct dataset; NULL while there is none */
};

/* Consumes one element. An element with faults is kept, too, so that indices stay those of the
 * file. */
void coco_annotations_read(struct coco_annotations_reader *, struct scan *, const struct place *);

/* Assigns each annotation its record, by the sorted ids of n images. A missing image is a fault
 * (coco-image-unknown), a missing category a deviation (coco-category-unknown). Without a list of
 * categories their ids are not interpreted. */
void coco_annotations_link(struct coco_annotations_reader *, const struct id *images, size_t n,
                           bool has_categories);

/* For files without a list of images. The images that the annotations name become the dataset's
 * records, of unknown size. The ids of their categories become its categories, named by their
 * digits. Links, too. */
void coco_annotations_list(struct coco_annotations_reader *, struct dataset *, struct categories *);

/* Drops annotations that repeat an earlier one; others that share an id are faults. `ids` has room
 * for one per annotation. To be called after linking. */
void coco_annotations_check_ids(struct coco_annotations_reader *, struct id *ids);

/* Releases the reader's memory. */
void coco_annotations_reader_drop(struct coco_annotations_reader *);

/* Stores the annotations in the dataset: grouped by its records, in the file's order. Sets
 * n_objects of each and in total, `first` of the images, and the largest id. Adds a fault
 * (coco-polygon) if a flat list is not a segmentation. */
void coco_annotations_keep(const struct coco_annotations_reader *, struct dataset *,
                           struct coco_image *images);

/* The functions of a format: see format.h. */
bool coco_annotations_load(const struct coco_annotations *, const struct dataset *, size_t record,
                           const struct rules *, struct sample *, struct faults *);
void coco_annotations_print(const struct coco_annotations *, size_t record, const struct object *,
                            const struct output *, const struct rules *, struct text *);
bool coco_annotations_are_unchanged(const struct coco_annotations *, size_t record,
                                    const struct object *, const struct output *);
struct slice coco_annotations_find(const struct coco_annotations *, const struct dataset *,
                                   size_t record, size_t i, size_t *order);
/* See visit_extras: members that struct object does not have. */
void coco_annotations_visit(const struct coco_annotations *, size_t record, const struct object *,
                            void (*visit)(void *context, const struct extra *), void *context);
/* Returns the id of an object; its index in the list if it has none. */
int64_t coco_annotations_id(const struct coco_annotations *, size_t record, const struct object *);
