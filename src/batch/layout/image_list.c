/* image_list: a file that names the images of a part. */
#include "batch/layout/image_list.h"

#include "batch/io/folder.h"
#include "batch/io/image_name.h"
#include "batch/io/open.h"
#include "json/document.h"

#include <stdlib.h>
#include <string.h>

/* An image, by its name without suffix. */
struct listed_image {
    const char *name;
    size_t stem;
};

static int by_stem(const void *a, const void *b)
{
    const struct listed_image *x = a, *y = b;

    return name_compare_stems(x->name, x->stem, y->name, y->stem);
}

/* Returns the index of the first image that does not precede the stem. */
static size_t find_stem(const struct folder_images *all, struct slice stem)
{
    size_t low = 0, high = all->n;

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const struct listed_image *i = &all->at[middle];

        if (name_compare_stems(i->name, i->stem, stem.at, stem.length) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Marks the images whose stem is the first part of `path`, and whose name is all of it unless it
 * is a stem. Returns false if there are none. */
static bool mark(const struct folder_images *all, struct slice path, size_t stem)
{
    bool found = false;

    for (size_t i = find_stem(all, (struct slice){ path.at, stem }); i < all->n; i++) {
        const struct listed_image *image = &all->at[i];

        if (image->stem != stem || memcmp(image->name, path.at, stem) != 0)
            break;
        if (stem < path.length &&
            (strlen(image->name) != path.length || memcmp(image->name, path.at, path.length) != 0))
            continue;
        all->named[i] = true;
        found = true;
    }
    return found;
}

/* Marks the images that a whole path names, without or with its suffix. */
static bool mark_whole(const struct folder_images *all, struct slice path)
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
static bool mark_path(const struct folder_images *all, struct slice path)
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
static bool mark_line(const struct folder_images *all, struct slice line)
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

/* Lines of a list. */
struct line_counts {
    size_t n, lost;
    struct slice first; /* the first line without an image */
};

static void mark_lines(const struct folder_images *all, struct slice text,
                       struct line_counts *lines)
{
    for (size_t at = 0; at < text.length;) {
        const char *begin = text.at + at, *end = memchr(begin, '\n', text.length - at);
        size_t length = end ? (size_t)(end - begin) : text.length - at;
        struct slice line = slice_trim((struct slice){ begin, length });
        bool named;

        at += length + 1;
        named = line.length && (*line.at == '#' ? mark_whole : mark_line)(all, line);
        if (!named && (!line.length || *line.at == '#'))
            continue;
        lines->n++;
        if (!named && !lines->lost++)
            lines->first = line;
    }
}

/* --- the images --- */

struct images_walk {
    struct arena *arena;
    struct pile images;
};

/* Links that lead nowhere count by their names, too: reading them fails later. */
static bool add_image(void *context, const struct walked_file *file, struct text *why)
{
    struct images_walk *w = context;

    (void)why;
    if (!file->hidden && name_is_image(file->entry))
        *(struct listed_image *)pile_add(&w->images, sizeof(struct listed_image)) =
            (struct listed_image){ arena_copy(w->arena, file->name, strlen(file->name)),
                                   name_stem(file->name) };
    return true;
}

bool folder_images_read(const char *folder, struct arena *arena, struct folder_images *to,
                        struct text *why)
{
    struct images_walk w = { .arena = arena };
    const struct tree_walk walk = {
        .path = folder, .links = LINKS_FOLLOW, .visit = add_image, .context = &w
    };
    bool good = walk_files(&walk, why);

    arena_take_over(arena, w.images.at);
    to->at = w.images.at;
    to->n = w.images.n;
    to->named = ARENA_ARRAY(arena, bool, to->n + 1);
    if (to->n)
        qsort(to->at, to->n, sizeof *to->at, by_stem);
    return good;
}

static void take_marked(const struct folder_images *all, struct arena *arena,
                        struct layout_part *part)
{
    const char **places = ARENA_ARRAY(arena, const char *, all->n + 1);

    part->places = places;
    part->n_places = 0;
    for (size_t i = 0; i < all->n; i++)
        if (all->named[i])
            places[part->n_places++] = all->at[i].name;
}

bool image_list_take(const struct folder_images *all, const char *list, struct arena *arena,
                     struct layout_part *part, size_t *n_lines)
{
    enum { MAX_LIST_BYTES = 1 << 30 };
    struct text bytes = { 0 }, why = { 0 };
    struct line_counts lines = { 0 };
    bool good = input_read_named(list, MAX_LIST_BYTES, &bytes, &why);

    for (size_t i = 0; i < bytes.length; i++)
        if (bytes.at[i] == '\\')
            bytes.at[i] = '/';
    memset(all->named, 0, all->n * sizeof *all->named);
    mark_lines(all, (struct slice){ text_string(&bytes), bytes.length }, &lines);
    take_marked(all, arena, part);
    part->list = list;
    if (!good)
        part->missing = arena_printf(arena, "%s: %s", list, text_string(&why));
    else if (lines.n && lines.lost == lines.n)
        part->missing = arena_printf(arena,
                                     "%s names no image in %s; correct it, or name the parts to "
                                     "read with --part",
                                     list, part->images[0]);
    else if (lines.lost)
        part->unmatched = arena_printf(
            arena, "%s: %zu of %zu lines name%s no image; the first is %.*s", list, lines.lost,
            lines.n, lines.lost == 1 ? "s" : "", (int)lines.first.length, lines.first.at);
    if (n_lines)
        *n_lines = lines.n;
    text_drop(&bytes);
    text_drop(&why);
    return !good || lines.n;
}
