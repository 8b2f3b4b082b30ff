/* id_index: which element has which id, for lists whose ids are integers or strings. */
#pragma once

#include "base/arena.h"

/* An id that is a string is held as an integer from ID_TEXT on: 62 bits of the string's SHA-256.
 * Equal integers mean equal strings (a collision among 10^7 ids has a probability of 10^-5, and is
 * refused as an id that is there twice). Integers of files end at 2^53. */
#define ID_TEXT ((int64_t)1 << 62)
int64_t id_of_text(const char *text, size_t length);
static inline bool id_is_text(int64_t id)
{
    return id >= ID_TEXT;
}

/* Returns the number that is written for an id: for a string, the place of its element in the list,
 * from 1. */
static inline int64_t id_number(int64_t id, size_t index)
{
    return id_is_text(id) ? (int64_t)index + 1 : id;
}

struct id {
    int64_t id;
    uint32_t index; /* of the element in its list */
};

/* Order n of them by id, to be searched; equal ones stay in the order they are in. */
void ids_sort(struct id *, size_t n);
/* The first element with this id, or NULL. */
const struct id *ids_find(const struct id *, size_t n, int64_t id);

/* For many searches of the same sorted ids: they are looked for in the range of ids that theirs is
 * in, of which there are about as many as ids. */
struct ids_ranges {
    const struct id *ids;
    size_t n;
    unsigned shift;  /* the low bits of what a range begins with */
    uint32_t *first; /* of each range, and the end */
};

/* n of them, which stay the caller's. */
void ids_divide(struct ids_ranges *, struct arena *, const struct id *, size_t n);
/* As ids_find. */
const struct id *ids_find_near(const struct ids_ranges *, int64_t id);
