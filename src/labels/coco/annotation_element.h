/* annotation_element: shared by all lists of COCO's JSON files: places for faults, ids, and the
 * maximum length of an element. */
#pragma once

#include "labels/coco/category.h"
#include "labels/coco/dialect.h"
#include "labels/format.h"

/* An id that could not be read, or that an element does not have; below all real ids. */
#define COCO_NO_ID INT64_MIN

/* Returns the place of the index-th element of a list, for faults. */
struct place coco_place(struct faults *, const char *list, size_t index);

/* Adds the fault coco-long and returns false if an element's length or index exceeds its limit:
 * both are stored in 32 bits. */
bool coco_check_element_size(const struct place *, struct slice element);

/* True if two elements, both scanned before, are equal except for white space. */
bool coco_elements_are_equal(struct slice, struct slice);

/* A list of elements with ids. */
struct coco_list {
    struct faults *faults;
    const char *name;
    struct slice (*stretch_of)(const void *context, size_t index); /* the text of an element */
    const void *context;
};

/* Sorts the ids of a list. An element that repeats an earlier one is noted, and its index added to
 * `repeated` (of uint32_t); another element with the same id is a fault (coco-id-twice). */
void coco_ids_check(const struct coco_list *, struct id *, size_t n, struct pile *repeated);

/* Reads a picked id, and adds its deviations to the set and to the notes. False with a fault if it
 * is not an id. */
bool coco_pick_id(const struct place *, const struct pick *, int64_t *to, unsigned *set);

/* Reads an id of a list whose ids may be strings. While the kind is open, an id such as "12" is
 * read as a string without a note; coco_settle_id reads it again when the kind is known. */
bool coco_pick_kind_id(const struct place *, const struct pick *, enum id_kind *, int64_t *to,
                       unsigned *set);
/* Reads a string again as a number, unless the kind is ID_KIND_TEXT. Returns true if the id became
 * a number, which is noted. A string that is not a number stays. */
bool coco_settle_id(const struct place *, struct slice element, const char *member,
                    const enum id_kind *, int64_t *id);

/* Returns the larger of `largest` and the magnitude of an id; ignores COCO_NO_ID. */
int64_t coco_larger_id(int64_t largest, int64_t id);

/* Prints an element's own id, or its image's: i * K + k for copies. False, with nothing printed, if
 * the id is unchanged and already in COCO's form. */
bool coco_print_id(const struct output *, struct slice source, struct text *);
/* The same for the id of an image and for references to the image, whose record has this id. */
bool coco_print_image_id(const struct output *, int64_t id, struct slice source, struct text *);
/* The same for an id that copies share: a category's. */
bool coco_print_shared_id(struct slice source, struct text *);
