/* ids: which element has which id. Sorted, not hashed: a hostile file cannot make it slow. */
#include "ids.h"

#include <stdlib.h>

static int by_id(const void *a, const void *b)
{
    const struct id *x = a, *y = b;

    if (x->id != y->id)
        return x->id < y->id ? -1 : 1;
    return (x->index > y->index) - (x->index < y->index);
}

void ids_sort(struct id *ids, size_t n)
{
    bool sorted = true;

    for (size_t i = 1; i < n && sorted; i++)
        sorted = by_id(&ids[i - 1], &ids[i]) < 0;
    if (!sorted)
        qsort(ids, n, sizeof *ids, by_id);
}

const struct id *ids_find(const struct id *ids, size_t n, int64_t id)
{
    size_t low = 0, high = n;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (ids[middle].id < id)
            low = middle + 1;
        else
            high = middle;
    }
    return low < n && ids[low].id == id ? &ids[low] : NULL;
}
