/* id_index: finds elements by id, in lists whose ids are integers or strings. */
#pragma once

#include "base/arena.h"

/* A string id is stored as an integer from ID_TEXT on: 62 bits of the string's SHA-256. Equal
 * integers mean equal strings: a collision among 10^7 ids has a probability of 10^-5, and is
 * refused as a duplicate id. Integer ids in files end at 2^53. */
#define ID_TEXT ((int64_t)1 << 62)
int64_t id_of_text(const char *text, size_t length);
static inline bool id_is_text(int64_t id)
{
    return id >= ID_TEXT;
}

/* Returns the number that is written for an id: for a string, the 1-based index of its element in
 * the list. */
static inline int64_t id_number(int64_t id, size_t index)
{
    return id_is_text(id) ? (int64_t)index + 1 : id;
}

struct id {
    int64_t id;
    uint32_t index; /* of the element in its list */
};

/* Sorts n ids, for searching; equal ids keep their order. */
void ids_sort(struct id *, size_t n);
/* Returns the first element with this id, or NULL. */
const struct id *ids_find(const struct id *, size_t n, int64_t id);

/* Sorted ids divided into ranges, about as many as ids, for many searches: an id is searched only
 * in its own range. */
struct ids_ranges {
    const struct id *ids;
    size_t n;
    unsigned shift;  /* number of low bits that ids of a range may differ in */
    uint32_t *first; /* of each range, and the end */
};

/* Divides n ids, which are borrowed. */
void ids_divide(struct ids_ranges *, struct arena *, const struct id *, size_t n);
/* Same as ids_find. */
const struct id *ids_find_near(const struct ids_ranges *, int64_t id);
