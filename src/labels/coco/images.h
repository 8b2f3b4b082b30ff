/* images: the list "images" of COCO's JSON files, which becomes the records of a dataset. */
#pragma once

#include "labels/coco/annotation_element.h"

/* Position of an image's element. */
struct coco_image {
    uint64_t offset : 62;
    uint64_t labelled : 1;              /* it has labels of its own: image_labels.h */
    uint64_t repeated : 1;              /* it repeats an earlier one */
    uint32_t length : 31, deviates : 1; /* in a way that is repaired */
    uint32_t first; /* for the format: where its annotations begin in a list of them */
};

/* State while a file is read: records and positions of the images so far. The caller owns the
 * piles, and may let the arena take them over; names are in the arena. */
struct coco_images {
    struct faults *faults;
    struct arena *arena;
    struct pile records; /* struct record */
    struct pile places;  /* struct coco_image */
    size_t n_repeated;
    enum id_kind ids;
    bool lvis; /* an image has a key of LVIS's */
    struct pick_order order;
    struct pile loose; /* struct slice: names of members that hold geometry */
};

/* Starts to collect names of members that hold geometry, for coco_images_keep_loose. */
void coco_images_note_loose(struct coco_images *);
/* Adds them to the dataset's loose_keys, after KEYS_OF_IMAGES, and frees the list of them. */
void coco_images_keep_loose(struct coco_images *, struct dataset *);

/* True if width and height are both 0, or one is 0 and the other missing. */
bool coco_size_is_zero(const struct pick *width, const struct pick *height);

/* Consumes one element. An element with faults is kept, too, so that indices stay those of the
 * file. */
void coco_image_read(struct coco_images *, struct scan *, const struct place *);

/* To be called when all images were read, and before records are linked. Notes images that repeat
 * an earlier one; other ids and file names that images share are faults.
 * Fills in `ids`, which has room for one per image, sorted by id. */
void coco_images_check(struct coco_images *, struct id *ids);

/* Adds faults for invalid labels of the images (coco-type, label-class, label-twice, label-weight).
 */
void coco_images_check_labels(const struct coco_images *, const struct categories *);

/* Leaves out images that repeat an earlier one, and fills in `ids` again. To be called after the
 * labels were checked, since indices are no longer those of the file. */
void coco_images_drop_repeated(struct coco_images *, struct id *ids);

/* Fills in the labels of a record from its image's element. Without a list of categories they are
 * not interpreted. */
void coco_image_load_labels(struct faults *, const struct coco_image *, const struct dataset *,
                            size_t record, struct sample *);

/* Visits the members that COCO does not define, also those of a translated line except its objects.
 * See visit_record_extras. */
void coco_image_visit(struct slice element, void (*visit)(void *context, const struct extra *),
                      void *context);

/* Appends an image's element, a part of the file's text, as it is after the run. `id` is its
 * record's. */
void coco_print_image(const struct dataset *, struct slice file, const struct coco_image *,
                      int64_t id, const struct output *, struct text *);
