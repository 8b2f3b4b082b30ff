/* archive_set: the image archives that are open. */
#include "batch/io/archive_set.h"

#include "batch/io/shard_index.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* List of open archives; each points to the one that was opened before. */
struct opened_archive {
    struct tar_set set;
    struct opened_archive *before;
};
static struct opened_archive *last;

bool archive_is_path(const char *path)
{
    static const char *const suffixes[] = { ".tar",    ".zip",     ".tgz",  ".tar.gz", ".tar.zst",
                                            ".tar.xz", ".tar.bz2", ".tzst", ".txz",    ".tbz2" };
    size_t length = strlen(path);
    struct stat status;

    if (stat(path, &status) == 0 && S_ISDIR(status.st_mode))
        return false;
    for (size_t i = 0; i < COUNTOF(suffixes); i++)
        if (length > strlen(suffixes[i]) &&
            strcasecmp(path + length - strlen(suffixes[i]), suffixes[i]) == 0)
            return true;
    return shard_index_is_path(path);
}

struct tar_set *archive_opened(const char *path)
{
    for (struct opened_archive *a = last; a; a = a->before)
        if (strcmp(a->set.path, path) == 0)
            return &a->set;
    return NULL;
}

const struct tar_set *archive_at(const char *path)
{
    return archive_opened(path);
}

static int by_name(const void *a, const void *b)
{
    const struct member *x = a, *y = b;
    int order = strcmp(x->name, y->name);

    return order ? order : (x->file > y->file) - (x->file < y->file);
}

bool archive_sort(struct tar_set *set, struct faults *faults)
{
    if (set->n)
        qsort(set->members, set->n, sizeof *set->members, by_name);
    for (size_t i = 1; i < set->n; i++) {
        const struct member *a = &set->members[i - 1], *b = &set->members[i];

        if (strcmp(a->name, b->name) == 0)
            fault_add(faults, 0, 0, set->files[b->file].path, "member-duplicate",
                      "%s is in it %s%s, but names must be unique; make the archive again with one "
                      "of them",
                      a->name, a->file == b->file ? "twice" : "and in ",
                      a->file == b->file ? "" : set->files[a->file].path);
    }
    return !faults->n;
}

struct tar_set *archive_start_set(const char *path, size_t n_files)
{
    struct opened_archive *a = memory_take(sizeof *a);

    *a = (struct opened_archive){ .set = { .n_files = n_files }, .before = last };
    a->set.path = arena_copy(&a->set.arena, path, strlen(path));
    a->set.files = ARENA_ARRAY(&a->set.arena, struct tar_file, n_files);
    last = a;
    return &a->set;
}

const struct tar_set *archive_add(const char *path, const struct pile *files,
                                  const struct pile *members, struct faults *faults)
{
    struct tar_set *set = archive_start_set(path, files->n);

    memcpy(set->files, files->at, files->n * sizeof *set->files);
    set->n = members->n;
    set->members = ARENA_ARRAY(&set->arena, struct member, set->n);
    memcpy(set->members, members->at, set->n * sizeof *set->members);
    return archive_sort(set, faults) ? set : NULL;
}
