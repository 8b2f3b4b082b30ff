/* annotation_element: what all lists of COCO's JSON files share: places for faults, ids, and how
 * long an element may be. */
#pragma once

#include "labels/coco/dialect.h"
#include "labels/format.h"
#include "labels/coco/category.h"

/* An id that could not be read, or that an element does not have: no real one is as small. */
#define COCO_NO_ID INT64_MIN

/* The index-th element of a list, to name it in faults. */
struct place coco_place(struct faults *, const char *list, size_t index);

/* May an element be as long as this, and stand where it does? Else a fault (coco-long): lengths and
 * indices are kept in 32 bits. */
bool coco_element_fits(const struct place *, struct slice element);

/* True if two elements, both scanned before, differ in nothing but white space. */
bool coco_elements_are_equal(struct slice, struct slice);

/* A list of elements with ids. */
struct coco_list {
    struct faults *faults;
    const char *name;
    struct slice (*stretch_of)(const void *context, size_t index); /* the text of an element */
    const void *context;
};

/* Sorts the ids of a list. An element that repeats an earlier one is noted, and its index added to
 * `repeated` (of uint32_t); another one with an id that is taken is a fault (coco-id-twice). */
void coco_ids_check(const struct coco_list *, struct id *, size_t n, struct pile *repeated);

/* Read an id that was picked, and put into the set how it deviates; false with a fault when it is
 * none. What it deviates by is noted. */
bool coco_pick_id(const struct place *, const struct pick *, int64_t *to, unsigned *set);

/* Reads an id of a list whose ids may be strings. While the kind is open, an id such as "12" is
 * read as a string without a note; coco_settle_id reads it again when the kind is known. */
bool coco_pick_kind_id(const struct place *, const struct pick *, enum id_kind *, int64_t *to,
                       unsigned *set);
/* Reads a string again as a number, unless the kind is ID_KIND_TEXT. Returns true if the id became
 * a number, which is noted. A string that is not a number stays. */
bool coco_settle_id(const struct place *, struct slice element, const char *member,
                    const enum id_kind *, int64_t *id);

/* The larger one of a size and that of an id; COCO_NO_ID has none. */
int64_t coco_larger_id(int64_t largest, int64_t id);

/* Writes the sections of this walk, lists of categories, as COCO would have them. */
void coco_mend_categories(struct document *, size_t walk, struct arena *);

/* Print an id: i * K + k for copies, where it is the element's own or its image's. False, with
 * nothing printed, where the id stays and stands as COCO has it. */
bool coco_print_id(const struct output *, struct slice source, struct text *);
/* The same for the id of an image and for references to the image, whose record has this id. */
bool coco_print_image_id(const struct output *, int64_t id, struct slice source, struct text *);
/* The same for an id that copies share: a category's. */
bool coco_print_shared_id(struct slice source, struct text *);
