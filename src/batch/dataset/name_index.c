/* name_index: finds the records of a dataset by file name. */
#include "batch/dataset/name_index.h"

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

/* Compares two names in the same order as strcmp. */
static int compare(const char *name, struct slice wanted)
{
    int order = strncmp(name, wanted.at, wanted.length);

    return order ? order : name[wanted.length] != '\0';
}

/* --- stems --- */

static const char *last_part(const char *name)
{
    const char *slash = strrchr(name, '/');

    return slash ? slash + 1 : name;
}

/* Returns the last part of a name without its suffix. */
static struct slice stem_of(const char *name)
{
    const char *part = last_part(name), *dot = strrchr(part, '.');

    return (struct slice){ part, dot ? (size_t)(dot - part) : strlen(part) };
}

static int compare_slices(struct slice a, struct slice b)
{
    int order = memcmp(a.at, b.at, a.length < b.length ? a.length : b.length);

    return order ? order : (a.length > b.length) - (a.length < b.length);
}

static int by_stem(const void *a, const void *b, void *context)
{
    const size_t *x = a, *y = b;
    const struct record *records = context;
    int order = compare_slices(stem_of(records[*x].name), stem_of(records[*y].name));

    return order ? order : by_name(a, b, context);
}

/* True if the name without its suffix is the stem, or ends with it after a slash. */
static bool has_stem(const char *name, const char *stem, bool whole)
{
    struct slice last = stem_of(name);
    size_t length = (size_t)(last.at + last.length - name), n = strlen(stem);

    return length >= n && memcmp(name + length - n, stem, n) == 0 &&
           (length == n || (!whole && name[length - n - 1] == '/'));
}

size_t name_index_find_stem(struct name_index *index, const struct dataset *d, const char *stem,
                            size_t record[2])
{
    const char *part = last_part(stem);
    struct slice wanted = { part, strlen(part) };
    size_t low = 0, high = d->n_records, n = 0;

    if (!index->by_stem) {
        index->by_stem = memory_take((d->n_records + 1) * sizeof *index->by_stem);
        for (size_t i = 0; i < d->n_records; i++)
            index->by_stem[i] = i;
        qsort_r(index->by_stem, d->n_records, sizeof *index->by_stem, by_stem, d->records);
    }
    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (compare_slices(stem_of(d->records[index->by_stem[middle]].name), wanted) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    for (int whole = 1; whole >= 0 && !n; whole--)
        for (size_t i = low; i < d->n_records; i++) {
            const char *name = d->records[index->by_stem[i]].name;

            if (compare_slices(stem_of(name), wanted) != 0)
                break;
            if (has_stem(name, stem, whole) && n++ < 2)
                record[n - 1] = index->by_stem[i];
        }
    return n;
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
    free(index->by_stem);
    *index = (struct name_index){ 0 };
}
