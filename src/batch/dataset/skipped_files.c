/* skipped_files: files of the image folder that a run skips, counted by kind. */
#include "batch/dataset/skipped_files.h"

#include "base/files.h"

#include "base/stderr_line.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

struct skipped_kind {
    char suffix[12]; /* with its dot, in lower case; "" if there is none */
    bool image;
    size_t n;
};

/* Gets a suffix such as ".txt". A longer one, or one with other characters than letters and digits,
 * counts as a part of the name. */
static void suffix_of(const char *entry, char suffix[12])
{
    const char *dot = strrchr(entry, '.');
    size_t length = dot && dot != entry ? strlen(dot) : 0;

    suffix[0] = '\0';
    if (length < 2 || length >= 12)
        return;
    for (size_t i = 0; i <= length; i++) {
        if (i && i < length && !isalnum((unsigned char)dot[i])) {
            suffix[0] = '\0';
            return;
        }
        suffix[i] = (char)tolower((unsigned char)dot[i]);
    }
}

static void count(struct skipped_files *p, const struct skipped_kind *kind)
{
    struct skipped_kind *all = p->kinds.at;

    for (size_t i = 0; i < p->kinds.n; i++)
        if (all[i].image == kind->image && strcmp(all[i].suffix, kind->suffix) == 0) {
            all[i].n++;
            return;
        }
    *(struct skipped_kind *)pile_add(&p->kinds, sizeof *kind) = *kind;
}

/* True for files that the command reads itself. Annotations are often next to the images. */
static bool is_own(const struct skipped_files *p, const struct walked_file *file)
{
    struct text path = { 0 };
    struct stat one, other;
    bool own = false;

    for (size_t i = 0; i < COUNTOF(p->own) && !own; i++) {
        const char *slash = p->own[i] ? strrchr(p->own[i], '/') : NULL;

        if (!p->own[i] || strcmp(slash ? slash + 1 : p->own[i], file->entry) != 0)
            continue;
        path_join(&path, p->folder, file->name);
        own = stat(text_string(&path), &one) == 0 && stat(p->own[i], &other) == 0 &&
              one.st_dev == other.st_dev && one.st_ino == other.st_ino;
    }
    text_drop(&path);
    return own;
}

static bool is_labels(const struct skipped_files *p, const struct walked_file *file)
{
    size_t length = strlen(file->entry), end = p->labels ? strlen(p->labels) : 0;

    return end && length > end && strcasecmp(file->entry + length - end, p->labels) == 0;
}

void skipped_files_add(struct skipped_files *p, const struct walked_file *file, bool image)
{
    struct skipped_kind kind = { .image = image, .n = 1 };

    if (is_own(p, file) || is_labels(p, file))
        return;
    p->n++;
    if (file->hidden)
        p->hidden++;
    else if (image)
        count(p, &kind);
    else {
        suffix_of(file->entry, kind.suffix);
        count(p, &kind);
    }
    if (p->verbose)
        *(const char **)pile_add(&p->names, sizeof(const char *)) =
            arena_printf(&p->arena, "%s/%s", p->folder, file->name);
}

static int by_count(const void *a, const void *b)
{
    const struct skipped_kind *x = a, *y = b;

    if (x->image != y->image)
        return x->image ? -1 : 1;
    if (x->n != y->n)
        return x->n > y->n ? -1 : 1;
    return strcmp(x->suffix, y->suffix);
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static void print_names(const struct skipped_files *p)
{
    const char **names = p->names.at;

    if (p->names.n)
        qsort(names, p->names.n, sizeof *names, by_name);
    for (size_t i = 0; i < p->names.n; i++)
        message_print("lockstep: note: %s is not taken [files-passed]", names[i]);
}

void skipped_files_print(struct skipped_files *p)
{
    enum { SHOWN = 8 };
    struct skipped_kind *kinds = p->kinds.at;
    struct text line = { 0 };
    size_t others = 0;

    if (p->verbose)
        print_names(p);
    if (p->n == p->hidden)
        return;
    qsort(kinds, p->kinds.n, sizeof *kinds, by_count);
    for (size_t i = 0; i < p->kinds.n; i++) {
        if (i >= SHOWN) {
            others += kinds[i].n;
            continue;
        }
        text_addf(&line, "%s%zu ", i ? ", " : "", kinds[i].n);
        if (kinds[i].image)
            text_addf(&line, "image%s without an entry in the annotations",
                      kinds[i].n == 1 ? "" : "s");
        else
            text_adds(&line, kinds[i].suffix[0] ? kinds[i].suffix : "without a suffix");
    }
    if (others)
        text_addf(&line, ", %zu others", others);
    if (p->hidden)
        text_addf(&line, ", %zu hidden", p->hidden);
    message_print("lockstep: note: %s: %zu file%s not taken: %s%s [files-passed]", p->folder, p->n,
                  p->n == 1 ? " is" : "s are", text_string(&line),
                  p->verbose ? "" : "; -v names them");
    text_drop(&line);
}

void skipped_files_drop(struct skipped_files *p)
{
    arena_drop(&p->arena);
    free(p->kinds.at);
    free(p->names.at);
    *p = (struct skipped_files){ .verbose = p->verbose };
}
