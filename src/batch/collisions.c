/* collisions: outputs of a job that would be one file, or a file where another needs a folder. */
#include "collisions.h"

#include "fold.h"
#include "names.h"

#include "../json/document.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct named {
    const char *key, *output; /* what it is compared by */
    const char *folder;
    size_t record;
};

struct name_list {
    struct arena arena;
    struct pile list; /* of struct named */
    struct text folded;
    bool fold, differ; /* compare folded names; does any differ from its own? */
};

static void add_output(void *context, const struct output_of *output)
{
    struct name_list *names = context;
    struct named *named = pile_add(&names->list, sizeof *named);

    named->output = named->key = arena_copy(&names->arena, output->name, strlen(output->name));
    named->folder = output->folder;
    named->record = output->record;
    if (!names->fold)
        return;
    name_fold(output->name, &names->folded);
    if (strcmp(output->name, text_string(&names->folded)) == 0)
        return;
    named->key = arena_copy(&names->arena, names->folded.at, names->folded.length);
    names->differ = true;
}

static void names_drop(struct name_list *names)
{
    arena_drop(&names->arena);
    text_drop(&names->folded);
    free(names->list.at);
}

/* The order of a path's bytes: slashes come first, so that what is in a folder follows the path of
 * the folder itself. */
static int path_order(char c)
{
    return c == '/' ? 1 : c ? (unsigned char)c + 1 : 0;
}

static int by_key(const void *a, const void *b)
{
    const struct named *x = a, *y = b;
    const char *p = x->key, *q = y->key;
    int order = strcmp(x->folder, y->folder);

    if (order)
        return order;
    while (*p && *p == *q)
        p++, q++;
    order = path_order(*p) - path_order(*q);
    return order ? order : (x->record > y->record) - (x->record < y->record);
}

static bool is_within(const char *path, const char *folder)
{
    size_t length = strlen(folder);

    return strncmp(path, folder, length) == 0 && path[length] == '/';
}

static void sort_names(const struct name_list *names)
{
    if (names->list.n)
        qsort(names->list.at, names->list.n, sizeof(struct named), by_key);
}

/* --- the same bytes --- */

/* Of two outputs, one behind the other in their order. */
static void check_pair(const struct job *job, const struct named *a, const struct named *b,
                       struct faults *faults)
{
    const struct record *records = job->dataset->records;

    if (a->folder != b->folder)
        return;
    if (strcmp(a->output, b->output) == 0)
        fault_add(faults, 0, 0, records[b->record].name, "name-collision",
                  "its output %s/%s would be that of \"%s\" too; --name-template "
                  "'{dir}/{stem}_{ext}' tells suffixes apart",
                  b->folder, b->output, records[a->record].name);
    else if (is_within(b->output, a->output))
        fault_add(faults, 0, 0, records[b->record].name, "name-collision",
                  "its output %s/%s would need a folder where that of \"%s\" is a file", b->folder,
                  b->output, records[a->record].name);
}

void collisions_check(const struct job *job, struct faults *faults)
{
    struct name_list names = { 0 };
    const struct named *all;

    outputs_walk(job, add_output, &names);
    sort_names(&names);
    all = names.list.at;
    for (size_t i = 1; i < names.list.n; i++)
        check_pair(job, &all[i - 1], &all[i], faults);
    names_drop(&names);
}

/* --- the same to a file system --- */

/* Is it equal to, or inside of, the first of its group? */
static bool is_like(const struct named *first, const struct named *other)
{
    return first->folder == other->folder &&
           (strcmp(first->key, other->key) == 0 || is_within(other->key, first->key));
}

/* All of a group are made in the scratch: what is there already is another's. */
static bool try_group(const struct job *job, struct outdir *o, const struct named *group, size_t n,
                      struct faults *faults)
{
    const struct record *records = job->dataset->records;
    bool good = true;

    for (size_t i = 0; good && i < n; i++) {
        if (outdir_try(o, group[i].output))
            continue;
        good = errno == EEXIST || errno == ENOTDIR || errno == EISDIR;
        if (good)
            fault_add(faults, 0, 0, records[group[i].record].name, "name-collision",
                      "%s does not tell its output %s/%s from that of \"%s\", which has another "
                      "spelling (upper and lower case, or accents); write to another file system, "
                      "or rename one",
                      o->path, group[i].folder, group[i].output, records[group[0].record].name);
    }
    return good;
}

static bool try_names(const struct job *job, struct outdir *o, const struct name_list *names,
                      struct faults *faults)
{
    const struct named *all = names->list.at;
    bool good = true;

    for (size_t i = 0, n; good && i < names->list.n; i += n) {
        for (n = 1; i + n < names->list.n && is_like(&all[i], &all[i + n]);)
            n++;
        if (n > 1)
            good = try_group(job, o, &all[i], n, faults) && outdir_try_end(o);
    }
    return good;
}

int collisions_check_folded(const struct job *job, struct outdir *o, struct faults *faults)
{
    struct name_list names = { .fold = true };
    int code = EXIT_DONE;

    outputs_walk(job, add_output, &names);
    if (names.differ) {
        sort_names(&names);
        if (!try_names(job, o, &names, faults)) {
            fault_add(faults, 0, 0, o->path, "out-unwritable", "%s", errno_text());
            code = EXIT_OUTPUT;
        } else if (faults->n) {
            code = EXIT_INPUT;
        }
    }
    names_drop(&names);
    return code;
}
