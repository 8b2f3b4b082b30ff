/* image_list: a file that names the images of a part. */
#include "batch/dataset/image_list.h"

#include "base/stderr_line.h"
#include "batch/io/folder.h"
#include "batch/io/image_name.h"

#include <stdlib.h>
#include <string.h>

/* An image, by its name without suffix. */
struct listed_image {
    const char *name;
    size_t stem, record;
};

struct listed_images {
    struct listed_image *at; /* sorted by stem */
    size_t n;
    bool *named; /* per record */
};

static int compare_stems(const char *a, size_t n, const char *b, size_t m)
{
    int order = memcmp(a, b, n < m ? n : m);

    return order ? order : (n > m) - (n < m);
}

static int by_stem(const void *a, const void *b)
{
    const struct listed_image *x = a, *y = b;

    return compare_stems(x->name, x->stem, y->name, y->stem);
}

/* Returns the index of the first image that does not precede the stem. */
static size_t find_stem(const struct listed_images *all, struct slice stem)
{
    size_t low = 0, high = all->n;

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const struct listed_image *i = &all->at[middle];

        if (compare_stems(i->name, i->stem, stem.at, stem.length) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Marks the images whose stem is the first part of `path`, and whose name is all of it unless it
 * is a stem. Returns false if there are none. */
static bool mark(const struct listed_images *all, struct slice path, size_t stem)
{
    bool found = false;

    for (size_t i = find_stem(all, (struct slice){ path.at, stem }); i < all->n; i++) {
        const struct listed_image *image = &all->at[i];

        if (image->stem != stem || memcmp(image->name, path.at, stem) != 0)
            break;
        if (stem < path.length &&
            (strlen(image->name) != path.length || memcmp(image->name, path.at, path.length) != 0))
            continue;
        all->named[image->record] = true;
        found = true;
    }
    return found;
}

/* Marks the images that a whole path names, without or with its suffix. */
static bool mark_whole(const struct listed_images *all, struct slice path)
{
    struct text copy = { 0 };
    size_t stem;
    bool found;

    text_add(&copy, path.at, path.length);
    stem = name_stem(text_string(&copy));
    text_drop(&copy);
    found = (stem < path.length && mark(all, path, stem)) || mark(all, path, path.length);
    return found;
}

/* Marks the images that a path names, with all of its folders or without the first ones. */
static bool mark_path(const struct listed_images *all, struct slice path)
{
    const char *end = path.at + path.length;

    while (path.length) {
        const char *slash = memchr(path.at, '/', path.length);
        bool found = mark_whole(all, path);

        if (found || !slash)
            return found;
        path = (struct slice){ slash + 1, (size_t)(end - slash - 1) };
    }
    return false;
}

/* Names may contain blanks; "stem 1" names "stem". */
static bool mark_line(const struct listed_images *all, struct slice line)
{
    size_t n = line.length;

    if (mark_path(all, line))
        return true;
    while (n && !strchr(" \t", line.at[n - 1]))
        n--;
    while (n && strchr(" \t", line.at[n - 1]))
        n--;
    return n && mark_path(all, (struct slice){ line.at, n });
}

static struct slice trim(struct slice line)
{
    while (line.length && strchr(" \t\r", *line.at))
        line = (struct slice){ line.at + 1, line.length - 1 };
    while (line.length && strchr(" \t\r", line.at[line.length - 1]))
        line.length--;
    return line;
}

/* A line that begins with # is a comment, unless an image has this name. */
static void mark_lines(const struct listed_images *all, struct slice text, const char *path,
                       bool quiet)
{
    size_t lines = 0, lost = 0;
    struct slice first = { 0 };

    for (size_t at = 0; at < text.length;) {
        const char *begin = text.at + at, *end = memchr(begin, '\n', text.length - at);
        size_t length = end ? (size_t)(end - begin) : text.length - at;
        struct slice line = trim((struct slice){ begin, length });
        bool named;

        at += length + 1;
        named = line.length && (*line.at == '#' ? mark_whole : mark_line)(all, line);
        if (!named && (!line.length || *line.at == '#'))
            continue;
        lines++;
        if (!named && !lost++)
            first = line;
    }
    if (lost && !quiet)
        message_print("lockstep: note: %s: %zu of %zu lines name%s no image; the first is %.*s "
                      "[list-unmatched]",
                      path, lost, lines, lost == 1 ? "s" : "", (int)first.length, first.at);
}

static struct listed_images index_images(const struct record *records, size_t n)
{
    struct listed_images all = { memory_take((n + 1) * sizeof *all.at), n,
                                 memory_take((n + 1) * sizeof *all.named) };

    for (size_t i = 0; i < n; i++) {
        all.at[i] = (struct listed_image){ records[i].name, name_stem(records[i].name), i };
        all.named[i] = false;
    }
    if (n)
        qsort(all.at, n, sizeof *all.at, by_stem);
    return all;
}

bool image_list_apply(const struct job *job, const char *path, struct pile *records,
                      struct text *why)
{
    enum { MAX_LIST_BYTES = 1 << 30 };
    struct record *record = records->at;
    struct text bytes = { 0 };
    struct listed_images all;
    size_t n = 0;

    if (!input_read_named(path, MAX_LIST_BYTES, &bytes, why)) {
        text_drop(&bytes);
        return false;
    }
    for (size_t i = 0; i < bytes.length; i++)
        if (bytes.at[i] == '\\')
            bytes.at[i] = '/';
    all = index_images(record, records->n);
    mark_lines(&all, (struct slice){ text_string(&bytes), bytes.length }, path,
               job->run.verbosity < 0);
    for (size_t i = 0; i < records->n; i++)
        if (all.named[i])
            record[n++] = record[i];
    records->n = n;
    free(all.at);
    free(all.named);
    text_drop(&bytes);
    return true;
}
