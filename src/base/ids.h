/* ids: which element has which id, for lists whose ids are any integers. */
#pragma once

#include "arena.h"

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
