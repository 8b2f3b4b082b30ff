/* shard_index: reads the index of a part of a WebDataset. */
#include "batch/io/shard_index.h"

#include "base/files.h"
#include "batch/io/folder.h"
#include "batch/io/open.h"
#include "json/members.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SUFFIX "-index.json"
#define CODE "webdataset-index"

/* Indexes that were read; each points to the one that was read before. */
struct read_index {
    struct shard_index index;
    struct read_index *before;
};
static struct read_index *last;
static struct arena arena;

bool shard_index_is_path(const char *path)
{
    return name_ends_with(base_name(path), SUFFIX);
}

/* Reads a whole file; the arena owns its text. Returns false with the reason. */
static bool read_file(const char *path, struct slice *text, struct text *why)
{
    struct text bytes = { 0 };
    struct stat status;
    int fd = input_open_named(path, &status, why);
    bool good = fd >= 0 && input_read_all(fd, &bytes, why);

    if (fd >= 0)
        close(fd);
    *text = (struct slice){ arena_copy(&arena, text_string(&bytes), bytes.length), bytes.length };
    text_drop(&bytes);
    return good;
}

bool shard_index_is_file(const char *path)
{
    static const char word[] = "\"shards\"";
    struct text why = { 0 };
    struct slice text;
    bool is = shard_index_is_path(path) && read_file(path, &text, &why) &&
              memmem(text.at, text.length, word, sizeof word - 1);

    text_drop(&why);
    return is;
}

/* --- members --- */

/* The index that is read. */
struct index_reader {
    struct shard_index *to;
    struct slice text;
    struct faults *faults;
};

static bool refuse(const struct index_reader *r, const char *what)
{
    return fault_add(r->faults, 0, 0, r->to->path, CODE, "%s", what);
}

/* Finds a member of this kind, by its first character; '0' is a number. */
static bool find(const struct index_reader *r, const char *name, char kind, struct slice *value)
{
    struct slice found = pick_again(r->text, name);
    bool has = found.at != r->text.at;
    bool number = has && strchr("-0123456789", *found.at);

    *value = found;
    return has && (kind == '0' ? number : *found.at == kind);
}

static bool require(const struct index_reader *r, const char *name, char kind, struct slice *value)
{
    const char *what = kind == '0' ? "a number" : kind == '[' ? "a list" : "a string";

    return find(r, name, kind, value) ||
           refuse(r, arena_printf(&r->faults->arena, "\"%s\" is missing or is not %s", name, what));
}

static bool read_integer(struct slice value, int64_t *to)
{
    struct scan s = scan_again(value, 0);

    return scan_integer(&s, to);
}

static bool check_version(const struct index_reader *r)
{
    struct slice value;
    int64_t version = 0;

    return (find(r, "version", '0', &value) && read_integer(value, &version) && version == 1) ||
           (find(r, "version", '"', &value) && value.length == 3 && value.at[1] == '1') ||
           refuse(r, "its \"version\" is not 1, the only one that is known");
}

/* The file is named after its part; a copy under another name would become another part. */
static bool check_part(const struct index_reader *r)
{
    const char *base = base_name(r->to->path);
    size_t length = strlen(base) - strlen(SUFFIX);
    struct slice value;
    const char *part;

    if (!require(r, "split", '"', &value))
        return false;
    part = scan_unescape(&arena, (struct slice){ value.at + 1, value.length - 2 }).at;
    r->to->part = part;
    return (strlen(part) == length && strncmp(part, base, length) == 0) ||
           refuse(r,
                  arena_printf(&r->faults->arena,
                               "its \"split\" is \"%s\", but the file is named for \"%.*s\": the "
                               "file was renamed or copied; both must be equal",
                               part, (int)length, base));
}

static size_t count_elements(struct slice list)
{
    struct scan s = scan_again(list, 0);
    struct slice element;
    bool first = true;
    size_t n = 0;

    scan_open(&s, '[');
    while (scan_element(&s, &first) && scan_value(&s, &element))
        n++;
    return n;
}

static bool read_tars(const struct index_reader *r)
{
    const char *path = r->to->path, *why;
    struct slice list, element;
    struct scan s;
    bool first = true;

    if (!require(r, "shards", '[', &list))
        return false;
    r->to->tars = ARENA_ARRAY(&arena, const char *, count_elements(list) + 1);
    s = scan_again(list, 0);
    scan_open(&s, '[');
    while (scan_element(&s, &first) && scan_value(&s, &element)) {
        const char *name;

        if (*element.at != '"')
            return refuse(r, "\"shards\" has an element that is not a string");
        name = scan_unescape(&arena, (struct slice){ element.at + 1, element.length - 2 }).at;
        if (!name_is_safe(name, &why))
            return refuse(r, arena_printf(&r->faults->arena, "the tar \"%s\" %s", name, why));
        r->to->tars[r->to->n++] =
            arena_printf(&arena, "%.*s%s", (int)(base_name(path) - path), path, name);
    }
    return true;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static bool sort_tars(const struct index_reader *r)
{
    struct shard_index *to = r->to;

    to->sorted = ARENA_ARRAY(&arena, const char *, to->n + 1);
    memcpy(to->sorted, to->tars, to->n * sizeof *to->sorted);
    if (to->n)
        qsort(to->sorted, to->n, sizeof *to->sorted, by_name);
    for (size_t i = 1; i < to->n; i++)
        if (strcmp(to->sorted[i - 1], to->sorted[i]) == 0)
            return refuse(r, arena_printf(&r->faults->arena, "\"shards\" has %s twice",
                                          base_name(to->sorted[i])));
    return true;
}

/* Counts are optional. */
static bool read_counts(const struct index_reader *r)
{
    struct slice list, value;
    struct scan s;
    bool first = true;
    size_t n = 0;

    if (!require(r, "num_samples", '0', &value) || !read_integer(value, &r->to->n_samples))
        return r->faults->n ? false : refuse(r, "\"num_samples\" is not an integer");
    if (!find(r, "samples_per_shard", '[', &list) || count_elements(list) == 0)
        return true;
    if (count_elements(list) != r->to->n)
        return refuse(r, "\"samples_per_shard\" and \"shards\" have different lengths");
    r->to->counts = ARENA_ARRAY(&arena, int64_t, r->to->n);
    s = scan_again(list, 0);
    scan_open(&s, '[');
    while (scan_element(&s, &first))
        if (!scan_integer(&s, &r->to->counts[n++]))
            return refuse(r, "\"samples_per_shard\" has an element that is not an integer");
    return true;
}

static bool read_all(struct index_reader *r)
{
    struct scan s = scan_start(r->text, 0);
    struct slice whole;

    if (!scan_value(&s, &whole) || !scan_end(&s)) {
        size_t line, column;

        text_place(r->text, s.where, &line, &column);
        return refuse(r, arena_printf(&r->faults->arena, "it is not JSON: line %zu, column %zu: %s",
                                      line, column, s.what));
    }
    if (*whole.at != '{')
        return refuse(r, "it is not a JSON object");
    r->text = whole;
    if (!check_version(r) || !check_part(r) || !read_tars(r) || !sort_tars(r) || !read_counts(r) ||
        !require(r, "categories", '[', &r->to->categories))
        return false;
    if (!find(r, "coco", '{', &r->to->coco))
        r->to->coco = (struct slice){ "", 0 };
    return true;
}

/* Returns the index of this path, if it was read. */
static const struct shard_index *find_path(const char *path)
{
    for (const struct read_index *i = last; i; i = i->before)
        if (strcmp(i->index.path, path) == 0)
            return &i->index;
    return NULL;
}

const struct shard_index *shard_index_read(const char *path, struct faults *faults)
{
    struct read_index *read;
    struct text why = { 0 };
    struct index_reader r = { .faults = faults };
    size_t before = faults->n;

    if (find_path(path))
        return find_path(path);
    read = ARENA_NEW(&arena, struct read_index);
    read->index.path = arena_copy(&arena, path, strlen(path));
    r.to = &read->index;
    if (!read_file(path, &r.text, &why))
        refuse(&r, text_string(&why));
    text_drop(&why);
    if (faults->n > before || !read_all(&r))
        return NULL;
    read->before = last;
    last = read;
    return &read->index;
}

/* --- beside a tar --- */

/* Returns the index that was read and lists the tar; NULL: none. */
static const struct shard_index *find_read(const char *tar)
{
    for (const struct read_index *i = last; i; i = i->before)
        if (i->index.n &&
            bsearch(&tar, i->index.sorted, i->index.n, sizeof *i->index.sorted, by_name))
            return &i->index;
    return NULL;
}

const struct shard_index *shard_index_of_tar(const char *tar)
{
    int length = (int)(base_name(tar) - tar);
    const char *folder = length ? arena_printf(&arena, "%.*s", length, tar) : ".";
    DIR *list = find_read(tar) ? NULL : opendir(folder);
    const struct dirent *entry;

    while (list && (entry = readdir(list))) {
        const char *path = arena_printf(&arena, "%.*s%s", length, tar, entry->d_name);
        struct faults ignored = { 0 };

        if (!find_path(path) && shard_index_is_file(path))
            shard_index_read(path, &ignored);
        faults_drop(&ignored);
    }
    if (list)
        closedir(list);
    return find_read(tar);
}
