/* compare_files: compares the images and masks of two runs byte by byte. */
#include "stats/compare.h"

#include "batch/io/folder.h"
#include "batch/io/open.h"
#include "batch/io/root.h"
#include "json/document.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct listing {
    struct arena *arena;
    struct pile names; /* const char * */
};

static bool keep_name(void *context, const struct walked_file *file, struct text *why)
{
    struct listing *l = context;

    (void)why;
    if (strncmp(file->name, "images/", 7) == 0 || strncmp(file->name, "masks/", 6) == 0)
        *(const char **)pile_add(&l->names, sizeof(char *)) =
            arena_copy(l->arena, file->name, strlen(file->name));
    return true;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static bool list(const char *folder, struct listing *l, struct text *why)
{
    const struct tree_walk walk = { .path = folder, .visit = keep_name, .context = l };

    if (!walk_files(&walk, why))
        return false;
    if (l->names.n)
        qsort(l->names.at, l->names.n, sizeof(char *), by_name);
    return true;
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

static bool compare_file(const char *a, const char *b, const char *name, bool *same,
                         struct text *why)
{
    FILE *x = open_below(a, name, why), *y = x ? open_below(b, name, why) : NULL;
    bool good = x && y;

    *same = good && have_same_bytes(x, y);
    if (good && (ferror(x) || ferror(y))) {
        text_addf(why, "%s: %s", name, errno_text());
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

bool compare_outputs(struct comparison *c, const char *a, const char *b, struct text *why)
{
    struct listing from = { .arena = &c->arena }, to = from;
    struct file_pairs merged = { .c = c };
    bool good = list(a, &from, why) && list(b, &to, why), same;
    const char **x = from.names.at, **y = to.names.at;

    for (size_t i = 0, k = 0; good && (i < from.names.n || k < to.names.n);) {
        int order = i == from.names.n ? 1 : k == to.names.n ? -1 : strcmp(x[i], y[k]);

        if (order < 0) {
            add(&merged, DIFFERENCE_REMOVED, x[i]);
        } else if (order > 0) {
            add(&merged, DIFFERENCE_ADDED, y[k]);
        } else {
            good = compare_file(a, b, x[i], &same, why);
            if (good && !same)
                add(&merged, DIFFERENCE_CHANGED, x[i]);
        }
        i += order <= 0;
        k += order >= 0;
    }
    keep(&merged);
    free(from.names.at);
    free(to.names.at);
    return good;
}
