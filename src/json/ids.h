/* ids: which element has which id, for lists whose ids are any whole numbers. */
#pragma once

#include "../base/base.h"

struct id {
    int64_t id;
    uint32_t index; /* of the element in its list */
};

/* Order n of them by id, to be searched; equal ones stay in the order they are in. */
void ids_sort(struct id *, size_t n);
/* The first element with this id, or NULL. */
const struct id *ids_find(const struct id *, size_t n, int64_t id);
