/* compare_files: compares the images and masks of two runs, or the images of two datasets, byte by
 * byte. */
#include "stats/compare.h"

#include "batch/io/folder.h"
#include "batch/io/image_name.h"
#include "batch/io/open.h"
#include "batch/io/root.h"
#include "json/document.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A file to compare: `name` is the same on both sides. */
struct named_file {
    const char *name;
    const char *root, *path; /* where it is */
};

struct listing {
    struct arena *arena;
    const struct survey *survey;
    const char *folder;
    struct pile files; /* struct named_file */
};

static void add_file(struct listing *l, const char *name, const char *root, const char *path)
{
    *(struct named_file *)pile_add(&l->files, sizeof(struct named_file)) =
        (struct named_file){ name, root, path };
}

static bool is_below(const char *name, const char *folder)
{
    size_t length = strlen(folder);

    return strncmp(name, folder, length) == 0 && name[length] == '/';
}

/* Keeps images and masks of an output. */
static bool keep_name(void *context, const struct walked_file *file, struct text *why)
{
    struct listing *l = context;
    bool kept = is_below(file->name, "images") || is_below(file->name, "masks");

    (void)why;
    for (size_t i = 0; i < l->survey->n_parts && name_is_image(file->entry); i++)
        kept |= !*l->survey->parts[i].below || is_below(file->name, l->survey->parts[i].below);
    if (kept) {
        const char *name = arena_copy(l->arena, file->name, strlen(file->name));

        add_file(l, name, l->folder, name);
    }
    return true;
}

static int by_name(const void *a, const void *b)
{
    const struct named_file *x = a, *y = b;

    return strcmp(x->name, y->name);
}

static void sort(struct listing *l)
{
    if (l->files.n)
        qsort(l->files.at, l->files.n, sizeof(struct named_file), by_name);
}

static bool list(struct listing *l, struct text *why)
{
    const struct tree_walk walk = { .path = l->folder, .visit = keep_name, .context = l };

    if (!walk_files(&walk, why))
        return false;
    sort(l);
    return true;
}

/* Lists the images of a dataset that exist. */
static void list_images(struct listing *l)
{
    const struct survey *s = l->survey;
    struct text why = { 0 };

    for (size_t i = 0; i < s->n_images; i++) {
        const struct survey_image *image = &s->images[i];
        const char *part = survey_part_of_image(s, i);

        if (image->root && input_exists(image->root, image->file, LINKS_FOLLOW, &why))
            add_file(l, *part ? arena_printf(l->arena, "%s/%s", part, image->file) : image->file,
                     image->root, image->file);
        text_clear(&why);
    }
    text_drop(&why);
    sort(l);
}

/* True if both files have the same bytes from here to their ends. */
static bool have_same_bytes(FILE *a, FILE *b)
{
    static char x[1 << 16], y[1 << 16];

    for (;;) {
        size_t n = fread(x, 1, sizeof x, a), m = fread(y, 1, sizeof y, b);

        if (n != m || memcmp(x, y, n) != 0)
            return false;
        if (n < sizeof x)
            return true;
    }
}

static FILE *open_below(const char *folder, const char *name, struct text *why)
{
    struct stat status;
    int fd;
    FILE *file;

    text_addf(why, "%s/%s: ", folder, name);
    fd = input_open_regular(folder, name, LINKS_FOLLOW, &status, why);
    if (fd < 0)
        return NULL;
    file = fdopen(fd, "rb");
    if (file)
        text_clear(why);
    else
        text_adds(why, errno_text());
    return file;
}

static bool compare_file(const struct named_file *a, const struct named_file *b, bool *same,
                         struct text *why)
{
    FILE *x, *y;
    bool good;

    *same = strcmp(a->root, b->root) == 0 && strcmp(a->path, b->path) == 0;
    if (*same)
        return true;
    x = open_below(a->root, a->path, why);
    y = x ? open_below(b->root, b->path, why) : NULL;
    good = x && y;
    *same = good && have_same_bytes(x, y);
    if (good && (ferror(x) || ferror(y))) {
        text_addf(why, "%s: %s", a->name, errno_text());
        good = false;
    }
    if (x)
        fclose(x);
    if (y)
        fclose(y);
    return good;
}

/* The names of both folders, each once. */
struct file_pairs {
    struct comparison *c;
    struct pile names, of[DIFFERENCES];
};

static void add(struct file_pairs *m, enum difference kind, const char *name)
{
    *(struct pair *)pile_add(&m->of[kind], sizeof(struct pair)) =
        (struct pair){ (uint32_t)m->names.n, (uint32_t)m->names.n };
    *(const char **)pile_add(&m->names, sizeof(char *)) = name;
}

static void keep(struct file_pairs *m)
{
    struct comparison *c = m->c;

    c->files = (const char *const *)(const void *)arena_copy(&c->arena, m->names.at,
                                                             m->names.n * sizeof(char *));
    for (int kind = 0; kind < DIFFERENCES; kind++) {
        size_t n = m->of[kind].n;

        c->of[COMPARED_FILE][kind] =
            (struct pairs){ (void *)arena_copy(&c->arena, m->of[kind].at, n * sizeof(struct pair)),
                            n };
        free(m->of[kind].at);
    }
    free(m->names.at);
}

static bool compare(struct comparison *c, struct listing *from, struct listing *to,
                    struct text *why)
{
    struct file_pairs merged = { .c = c };
    const struct named_file *x = from->files.at, *y = to->files.at;
    size_t n = from->files.n, m = to->files.n;
    bool good = true, same;

    for (size_t i = 0, k = 0; good && (i < n || k < m);) {
        int order = i == n ? 1 : k == m ? -1 : strcmp(x[i].name, y[k].name);

        if (order < 0) {
            add(&merged, DIFFERENCE_REMOVED, x[i].name);
        } else if (order > 0) {
            add(&merged, DIFFERENCE_ADDED, y[k].name);
        } else {
            good = compare_file(&x[i], &y[k], &same, why);
            if (good && !same)
                add(&merged, DIFFERENCE_CHANGED, x[i].name);
        }
        i += order <= 0;
        k += order >= 0;
    }
    keep(&merged);
    free(from->files.at);
    free(to->files.at);
    return good;
}

bool compare_outputs(struct comparison *c, const char *a, const char *b, struct text *why)
{
    struct listing from = { .arena = &c->arena, .survey = c->a, .folder = a },
                   to = { .arena = &c->arena, .survey = c->b, .folder = b };
    bool good = list(&from, why) && list(&to, why);

    return compare(c, &from, &to, why) && good;
}

bool compare_image_files(struct comparison *c, struct text *why)
{
    struct listing from = { .arena = &c->arena, .survey = c->a },
                   to = { .arena = &c->arena, .survey = c->b };

    list_images(&from);
    list_images(&to);
    return compare(c, &from, &to, why);
}
