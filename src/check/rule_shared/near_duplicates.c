/* near_duplicates: an index of hashes by their quarters. If two hashes differ in at most three
 * bits, at least one of their four quarters is equal. */
#include "check/rule_shared/near_duplicates.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { QUARTERS = 4, MIN_CONTRAST = 24 /* of the thumbnail's luma */ };

struct alike_images alike_collect(const struct check *c)
{
    struct alike_images all = { 0 };
    size_t n = 0;

    for (size_t i = 0; i < c->n_files; i++)
        n += c->files[i].inspection ? c->files[i].n_images : 0;
    all.at = memory_take((n + 1) * sizeof *all.at);
    for (size_t i = 0; i < c->n_files; i++) {
        const struct annotation_file *file = &c->files[i];

        for (size_t k = 0; file->inspection && k < file->n_images; k++)
            if (file->inspection->images[k].pixels.hash[0])
                all.at[all.n++] = (struct alike_image){ (uint32_t)i, (uint32_t)k, NOT_THERE,
                                                        &file->inspection->images[k] };
    }
    return all;
}

static bool is_in_scope(const struct alike_image *a, const struct alike_image *b,
                        enum alike_scope scope)
{
    return (a->file == b->file) == (scope == ALIKE_IN_A_FILE);
}

static const char *name_hash(const struct alike_image *a)
{
    return a->seen->pixels.hash;
}

/* --- equal files --- */

/* A sort key, and the index in the list. */
struct sort_entry {
    const char *hash;
    uint32_t quarter, index;
};

static int by_hash(const void *a, const void *b)
{
    const struct sort_entry *x = a, *y = b;
    int order = strcmp(x->hash, y->hash);

    return order ? order : (x->index > y->index) - (x->index < y->index);
}

void alike_find_equal(struct alike_images *all, enum alike_scope scope)
{
    struct sort_entry *keys = memory_take((all->n + 1) * sizeof *keys);
    size_t group = 0;

    for (size_t i = 0; i < all->n; i++) {
        all->at[i].first = NOT_THERE;
        keys[i] = (struct sort_entry){ .hash = name_hash(&all->at[i]), .index = (uint32_t)i };
    }
    qsort(keys, all->n, sizeof *keys, by_hash);
    for (size_t i = 1; i < all->n; i++) {
        struct alike_image *to = &all->at[keys[i].index];

        if (strcmp(keys[i].hash, keys[group].hash) != 0)
            group = i;
        /* Takes the first image of the group that is in the first file, or in the same file. */
        for (size_t k = group; k < i && to->first == NOT_THERE; k++) {
            if (is_in_scope(&all->at[keys[k].index], to, scope))
                to->first = keys[k].index;
            else if (scope == ALIKE_BETWEEN_FILES)
                break;
        }
    }
    free(keys);
}

/* --- images that look alike --- */

static bool has_contrast(const struct image_measures *m)
{
    const uint8_t *at = &m->thumbnail[0][0];
    uint8_t min = 255, max = 0;

    for (size_t i = 0; i < sizeof m->thumbnail; i++) {
        min = at[i] < min ? at[i] : min;
        max = at[i] > max ? at[i] : max;
    }
    return max - min >= MIN_CONTRAST;
}

static bool is_alike(const struct alike_image *a, const struct alike_image *b)
{
    const struct image_measures *x = &a->seen->pixels, *y = &b->seen->pixels;
    const uint8_t *p = &x->thumbnail[0][0], *q = &y->thumbnail[0][0];
    struct frame f = a->seen->header.frame, g = b->seen->header.frame;

    if (__builtin_popcountll(x->dhash ^ y->dhash) > ALIKE_BITS)
        return false;
    for (size_t i = 0; i < sizeof x->thumbnail; i++)
        if (abs(p[i] - q[i]) > ALIKE_LUMA)
            return false;
    return fabs((double)f.width * g.height / ((double)f.height * g.width) - 1) < 0.03 &&
           strcmp(x->hash, y->hash) != 0;
}

static int by_quarter(const void *a, const void *b)
{
    const struct sort_entry *x = a, *y = b;

    if (x->quarter != y->quarter)
        return x->quarter < y->quarter ? -1 : 1;
    return (x->index > y->index) - (x->index < y->index);
}

static void find_in_group(struct alike_images *all, const struct sort_entry *keys, size_t group,
                          size_t i, enum alike_scope scope)
{
    struct alike_image *to = &all->at[keys[i].index];

    if (i - group > ALIKE_MAX)
        group = i - ALIKE_MAX;
    for (size_t k = group; k < i && keys[k].index < to->first; k++)
        if (is_in_scope(&all->at[keys[k].index], to, scope) &&
            is_alike(&all->at[keys[k].index], to))
            to->first = keys[k].index;
}

void alike_find_near(struct alike_images *all, enum alike_scope scope)
{
    struct sort_entry *keys = memory_take((all->n + 1) * sizeof *keys);

    for (size_t i = 0; i < all->n; i++)
        all->at[i].first = NOT_THERE;
    for (unsigned quarter = 0; quarter < QUARTERS; quarter++) {
        size_t n = 0, group = 0;

        for (size_t i = 0; i < all->n; i++) {
            const struct inspected_file *seen = all->at[i].seen;

            if (seen->has_pixels && has_contrast(&seen->pixels))
                keys[n++] =
                    (struct sort_entry){ .quarter = seen->pixels.dhash >> 16 * quarter & 0xffff,
                                         .index = (uint32_t)i };
        }
        qsort(keys, n, sizeof *keys, by_quarter);
        for (size_t i = 1; i < n; i++) {
            if (keys[i].quarter != keys[group].quarter)
                group = i;
            find_in_group(all, keys, group, i, scope);
        }
    }
    free(keys);
}
