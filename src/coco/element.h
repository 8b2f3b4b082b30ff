/* element: what all lists of COCO's JSON files share: places for faults, ids, and how long an
 * element may be. */
#pragma once

#include "../format.h"

/* An id that could not be read, or that an element does not have: no real one is as small. */
#define COCO_NO_ID INT64_MIN

/* The index-th element of a list, to name it in faults. */
struct place coco_place(struct faults *, const char *list, size_t index);

/* May an element be as long as this, and stand where it does? Else a fault (coco-long): lengths and
 * indices are kept in 32 bits. */
bool coco_element_fits(const struct place *, struct slice element);

/* Sort the ids of a list; each that another element has had before is a fault (coco-id-twice).
 * stretch_of gives the text of an element. */
void coco_ids_check(struct faults *, const char *list, struct id *, size_t n,
                    struct slice (*stretch_of)(const void *context, size_t index),
                    const void *context);

/* For copies: print i * K + k; false, with nothing printed, where outputs keep their ids. */
bool coco_print_id(const struct output *, struct slice source, struct text *);
