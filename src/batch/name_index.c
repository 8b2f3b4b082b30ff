/* name_index: the records of a dataset by the names of their files. */
#include "name_index.h"

#include <stdlib.h>
#include <string.h>

static int by_name(const void *a, const void *b, void *context)
{
    const size_t *x = a, *y = b;
    const struct record *records = context;
    int order = strcmp(records[*x].name, records[*y].name);

    return order ? order : (*x > *y) - (*x < *y);
}

static void sort(struct name_index *index, const struct dataset *d)
{
    index->sorted = memory_take((d->n_records + 1) * sizeof *index->sorted);
    for (size_t i = 0; i < d->n_records; i++)
        index->sorted[i] = i;
    qsort_r(index->sorted, d->n_records, sizeof *index->sorted, by_name, d->records);
}

/* As strcmp. */
static int compare(const char *name, struct slice wanted)
{
    int order = strncmp(name, wanted.at, wanted.length);

    return order ? order : name[wanted.length] != '\0';
}

bool name_index_find(struct name_index *index, const struct dataset *d, struct slice name,
                     size_t *record)
{
    size_t low = 0, high = d->n_records;

    if (!index->sorted)
        sort(index, d);
    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (compare(d->records[index->sorted[middle]].name, name) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == d->n_records || compare(d->records[index->sorted[low]].name, name) != 0)
        return false;
    *record = index->sorted[low];
    return true;
}

void name_index_drop(struct name_index *index)
{
    free(index->sorted);
    *index = (struct name_index){ 0 };
}
