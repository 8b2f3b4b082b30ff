/* verify_sums: SHA256SUMS has a line for each file of a result, and no other line. */
#include "batch/finished/verify.h"

#include "batch/output/tar_names.h"
#include "batch/results/sha256sums.h"
#include "batch/io/mapped_file.h"
#include "batch/manifest/recorded_steps.h"
#include "batch/io/open.h"

#include "base/hash.h"

#include <stdlib.h>
#include <string.h>

enum { NAME_AT = 66 }; /* "hash  name": 64 digits, two blanks */

struct sum_line {
    struct slice line, name; /* `name` as it is written, with escapes */
    bool found;
};

struct sums {
    struct verify_state *v;
    struct pile lines; /* struct sum_line, sorted by name */
    struct arena arena;
};

static struct sum_line split(struct slice line)
{
    size_t at = line.length && *line.at == '\\' ? NAME_AT + 1 : NAME_AT;

    return (struct sum_line){ line,
                              line.length > at ? (struct slice){ line.at + at, line.length - at }
                                               : (struct slice){ "", 0 },
                              false };
}

static int by_name(const void *a, const void *b)
{
    const struct slice *x = &((const struct sum_line *)a)->name,
                       *y = &((const struct sum_line *)b)->name;
    size_t length = x->length < y->length ? x->length : y->length;
    int order = memcmp(x->at, y->at, length);

    return order ? order : (x->length > y->length) - (x->length < y->length);
}

static void read_lines(struct sums *s, struct slice text)
{
    for (uint64_t at = 0; at < text.length;) {
        struct slice line = slice_line(text, at);

        *(struct sum_line *)pile_add(&s->lines, sizeof(struct sum_line)) = split(line);
        at += line.length + 1;
    }
    if (s->lines.n)
        qsort(s->lines.at, s->lines.n, sizeof(struct sum_line), by_name);
}

/* Finds a line with this name that is not marked yet, and marks it. NULL: there is none. */
static struct sum_line *take(struct sums *s, const struct sum_line *wanted)
{
    struct sum_line *all = s->lines.at;
    size_t low = 0, high = s->lines.n;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (by_name(&all[middle], wanted) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == s->lines.n || by_name(&all[low], wanted) != 0 || all[low].found)
        return NULL;
    all[low].found = true;
    return &all[low];
}

/* Checks that the file has this line. The report has `path`, and `differs` if the hash does. */
static void check_line(struct sums *s, struct slice line, const char *path, const char *differs)
{
    const struct sum_line wanted = split(line), *is = take(s, &wanted);

    if (!is)
        verify_report(s->v, path, "verify-hash", "SHA256SUMS has no line of it");
    else if (is->line.length != line.length || memcmp(is->line.at, line.at, line.length) != 0)
        verify_report(s->v, path, "verify-hash", differs);
}

/* Checks the files of a manifest line, in the order in which a run lists them. */
static void check_outputs(struct sums *s, struct slice line)
{
    static const char *const members[] = { "output", "mask", "labels" };
    struct text text = { 0 };
    uint64_t at = 0;

    sums_print_outputs(line, &s->arena, &text);
    for (size_t i = 0; i < COUNTOF(members); i++) {
        const char *name = verify_text(s->v, line, members[i]);
        struct slice one;

        if (!*name)
            continue;
        if (at >= text.length) {
            verify_report(s->v, name, "verify-hash", "the manifest has no hash of it");
            continue;
        }
        one = slice_line((struct slice){ text_string(&text), text.length }, at);
        check_line(s, one, name, "SHA256SUMS and the manifest have different hashes of it");
        at += one.length + 1;
    }
    text_drop(&text);
    arena_reset(&s->arena);
    arena_reset(&s->v->arena);
}

/* Hashes a file of OUT itself. The file is mapped, since a tar may be larger than memory. */
static bool hash_own(struct verify_state *v, const char *name, char hex[65])
{
    struct text bytes = { 0 }, why = { 0 };
    struct slice mapped = { 0 };
    bool good = pack_is_tar(name) ? input_map(v->path, name, LINKS_REFUSE, NULL, &mapped, &why)
                                  : verify_read(v, name, &bytes);

    if (good && mapped.at)
        hash_hex(mapped.at, mapped.length, hex);
    else if (good)
        hash_hex(text_string(&bytes), bytes.length, hex);
    else if (why.length)
        verify_report(v, name, "verify-damaged", text_string(&why));
    if (mapped.at)
        input_unmap(mapped);
    text_drop(&bytes);
    text_drop(&why);
    return good;
}

static void check_own(struct sums *s, const char *name)
{
    struct text line = { 0 };
    char hex[65];

    if (hash_own(s->v, name, hex)) {
        sums_print_line(hex, name, &line);
        check_line(s, (struct slice){ text_string(&line), line.length - 1 }, name,
                   "its SHA-256 differs");
    }
    text_drop(&line);
}

void verify_sums(struct verify_state *v)
{
    struct sums s = { .v = v };
    struct text bytes = { 0 };
    size_t n = 0;

    if (!earlier_files_contain(&v->former, "SHA256SUMS") || !verify_read(v, "SHA256SUMS", &bytes))
        return;
    read_lines(&s, (struct slice){ text_string(&bytes), bytes.length });
    for (uint64_t at = 0; !v->tars && at < v->manifest.length;) {
        struct slice line = slice_line(v->manifest, at);

        check_outputs(&s, line);
        at += line.length + 1;
    }
    for (size_t i = 0; i < v->run.files->n; i++)
        if (strcmp(v->run.files->item[i].text, "SHA256SUMS") != 0)
            check_own(&s, v->run.files->item[i].text);
    for (size_t i = 0; i < s.lines.n; i++)
        n += !((struct sum_line *)s.lines.at)[i].found;
    if (n)
        verify_count(v, "SHA256SUMS", "lines", (int64_t)s.lines.n, (int64_t)(s.lines.n - n));
    free(s.lines.at);
    arena_drop(&s.arena);
    text_drop(&bytes);
}
