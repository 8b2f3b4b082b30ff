/* equal_files: sorts files by their sizes, then by hashes of their beginnings, then by hashes of
 * all bytes; each of these only where the former is equal in several groups. */
#include "batch/io/equal_files.h"

#include "base/hash.h"
#include "batch/io/open.h"

#include <stdlib.h>
#include <string.h>

enum { BEGINNING = 4096 };

struct sized_file {
    uint64_t size, hash;
    const struct grouped_file *file;
};

typedef bool hash_file(const struct grouped_file *, uint64_t *hash);

static bool hash_beginning(const struct grouped_file *file, uint64_t *hash)
{
    char bytes[BEGINNING];
    uint64_t length;
    size_t n = input_begin(file->root, file->name, LINKS_FOLLOW, bytes, sizeof bytes, &length);

    *hash = hash_quick(bytes, n);
    return n > 0;
}

static bool hash_all(const struct grouped_file *file, uint64_t *hash)
{
    return input_hash(file->root, file->name, LINKS_FOLLOW, hash);
}

static bool are_alike(const struct sized_file *a, const struct sized_file *b)
{
    return a->size == b->size && a->hash == b->hash;
}

static int by_content(const void *a, const void *b)
{
    const struct sized_file *x = a, *y = b;

    if (x->size != y->size)
        return x->size < y->size ? -1 : 1;
    if (x->hash != y->hash)
        return x->hash < y->hash ? -1 : 1;
    return (x->file > y->file) - (x->file < y->file);
}

/* Returns the end of the files that are alike from `begin` on. */
static size_t end_of_set(const struct sized_file *files, size_t n, size_t begin)
{
    size_t end = begin + 1;

    while (end < n && are_alike(&files[begin], &files[end]))
        end++;
    return end;
}

/* Keeps the files that are alike in several groups, with a hash of more bytes; sorted again.
 * Returns their number. */
static size_t keep_alike(struct sized_file *files, size_t n, hash_file *hash)
{
    size_t kept = 0;

    for (size_t begin = 0, end; begin < n; begin = end) {
        bool several = false;

        end = end_of_set(files, n, begin);
        for (size_t i = begin + 1; i < end; i++)
            several |= files[i].file->group != files[begin].file->group;
        for (size_t i = begin; several && i < end; i++)
            if (hash(files[i].file, &files[i].hash))
                files[kept++] = files[i];
    }
    qsort(files, kept, sizeof *files, by_content);
    return kept;
}

/* --- links --- */

struct known_file {
    struct file_key key;
    struct grouped_file *file;
};

static int by_key(const void *a, const void *b)
{
    const struct known_file *x = a, *y = b;
    int order = memcmp(&x->key, &y->key, sizeof x->key);

    return order ? order : (x->file > y->file) - (x->file < y->file);
}

/* Lists each file that is not empty once, with its size. Returns their number. */
static size_t skip_links(struct grouped_file *at, size_t n, struct sized_file *files)
{
    struct known_file *known = memory_take((n + 1) * sizeof *known);
    size_t first = 0, kept = 0;

    for (size_t i = 0; i < n; i++) {
        known[i].key = input_key_of(at[i].root, at[i].name, LINKS_FOLLOW);
        if (root_at(at[i].root).archive) /* its members have its inode */
            known[i].key.inode = 0;
        known[i].file = &at[i];
        at[i].first = NO_FILE;
        at[i].linked = false;
    }
    qsort(known, n, sizeof *known, by_key);
    for (size_t i = 0; i < n; i++) {
        struct grouped_file *to = known[i].file, *from = known[first].file;

        if (i == first || !known[i].key.inode ||
            memcmp(&known[first].key, &known[i].key, sizeof known[i].key) != 0) {
            first = i;
            if (known[i].key.size)
                files[kept++] = (struct sized_file){ known[i].key.size, 0, to };
        } else if (known[i].key.size && to->group != from->group) {
            to->first = (uint32_t)(from - at);
            to->linked = true;
        }
    }
    free(known);
    return kept;
}

void equal_files_find(struct grouped_file *at, size_t n)
{
    struct sized_file *files = memory_take((n + 1) * sizeof *files);
    size_t kept = skip_links(at, n, files);

    qsort(files, kept, sizeof *files, by_content);
    kept = keep_alike(files, kept, hash_beginning);
    kept = keep_alike(files, kept, hash_all);
    for (size_t begin = 0, end; begin < kept; begin = end) {
        const struct grouped_file *first = files[begin].file;

        end = end_of_set(files, kept, begin);
        for (size_t i = begin + 1; i < end; i++)
            if (files[i].file->group != first->group)
                at[files[i].file - at].first = (uint32_t)(first - at);
    }
    free(files);
}
