/* name_collisions: outputs of a job that would be one file, or a file where another needs a folder.
 */
#include "batch/output/name_collisions.h"

#include "batch/io/name_fold.h"
#include "batch/io/image_name.h"
#include "batch/output/output_names.h"

#include "base/files.h"
#include "base/hash.h"
#include "json/document.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct named {
    const char *key, *output; /* what it is compared by */
    const char *folder;
    size_t record;
};

/* --- paths by their hashes: a job may have millions, of which none meet --- */

static void add_hash(struct pile *hashes, uint64_t hash)
{
    *(uint64_t *)pile_add(hashes, sizeof hash) = hash;
}

static int by_hash(const void *a, const void *b)
{
    const uint64_t *x = a, *y = b;

    return (*x > *y) - (*x < *y);
}

static void sort_hashes(const struct pile *hashes)
{
    if (hashes->n)
        qsort(hashes->at, hashes->n, sizeof(uint64_t), by_hash);
}

static bool has_hash(const struct pile *hashes, uint64_t hash)
{
    return hashes->n && bsearch(&hash, hashes->at, hashes->n, sizeof hash, by_hash);
}

struct name_list {
    const struct job *job;
    bool fold, differ; /* compare folded names; does any differ from its own? */
    bool stems;        /* compare names without suffix */
    struct text path, folded;
    struct pile files, folders; /* of uint64_t, hashes of all outputs' paths */
    uint64_t last;              /* of `folders`: of the output that came last */
    struct pile shared;         /* by two outputs, or by a file and a folder; sorted */
    struct arena arena;
    struct pile list; /* of struct named: those that could meet another */
};

/* What an output is compared by, behind its folder of OUT: in `path`. */
static const char *print_path(struct name_list *names, const struct output_of *output)
{
    const char *key = output->name;

    if (names->fold) {
        name_fold(output->name, &names->folded);
        key = text_string(&names->folded);
        names->differ |= strcmp(key, output->name) != 0;
    }
    if (names->stems) {
        text_clear(&names->folded);
        text_add(&names->folded, output->name, name_stem(output->name));
        key = text_string(&names->folded);
    }
    text_clear(&names->path);
    path_join(&names->path, output->folder, key);
    return key;
}

/* The end of the next folder of the path, behind the one that ends at `at` (or 0: the one of OUT);
 * 0 when what follows is the file. */
static size_t next_folder(const struct text *path, size_t at)
{
    const char *from = path->at + at + (at ? 1 : strcspn(path->at, "/") + 1);
    const char *slash = strchr(from, '/');

    return slash ? (size_t)(slash - path->at) : 0;
}

static void add_folders(struct name_list *names)
{
    const char *slash = strrchr(text_string(&names->path), '/');
    uint64_t all = hash_quick(names->path.at, (size_t)(slash - names->path.at));

    if (all == names->last)
        return;
    names->last = all;
    for (size_t at = 0; (at = next_folder(&names->path, at));)
        add_hash(&names->folders, hash_quick(names->path.at, at));
}

static void add_path(void *context, const struct output_of *output)
{
    struct name_list *names = context;

    print_path(names, output);
    add_hash(&names->files, hash_quick(names->path.at, names->path.length));
    add_folders(names);
}

static void find_shared(struct name_list *names)
{
    const uint64_t *file;

    sort_hashes(&names->files);
    sort_hashes(&names->folders);
    file = names->files.at;
    for (size_t i = 0; i < names->files.n; i++)
        if ((i && file[i] == file[i - 1]) || has_hash(&names->folders, file[i]))
            add_hash(&names->shared, file[i]);
}

static bool could_meet(const struct name_list *names)
{
    const struct text *path = &names->path;
    bool could = has_hash(&names->shared, hash_quick(path->at, path->length));

    for (size_t at = 0; !could && (at = next_folder(path, at));)
        could = has_hash(&names->shared, hash_quick(path->at, at));
    return could;
}

static void add_output(void *context, const struct output_of *output)
{
    struct name_list *names = context;
    const char *key = print_path(names, output);
    struct named *named;

    if (!could_meet(names))
        return;
    named = pile_add(&names->list, sizeof *named);
    named->output = named->key = arena_copy(&names->arena, output->name, strlen(output->name));
    if (strcmp(key, output->name) != 0)
        named->key = arena_copy(&names->arena, key, strlen(key));
    named->folder = output->folder;
    named->record = output->record;
}

static void names_drop(struct name_list *names)
{
    arena_drop(&names->arena);
    text_drop(&names->path);
    text_drop(&names->folded);
    free(names->files.at);
    free(names->folders.at);
    free(names->shared.at);
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

/* List those that could meet another, in the order of their paths. */
static void read_names(struct name_list *names)
{
    outputs_walk_distinct(names->job, add_path, names);
    find_shared(names);
    if (names->shared.n)
        outputs_walk_distinct(names->job, add_output, names);
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

/* Members of two samples would be of one. */
static void check_keys(const struct job *job, struct faults *faults)
{
    struct name_list names = { .job = job, .stems = true };
    const struct record *records = job->dataset->records;
    const struct named *all;

    read_names(&names);
    all = names.list.at;
    for (size_t i = 1; i < names.list.n; i++)
        if (all[i - 1].folder == all[i].folder && strcmp(all[i - 1].key, all[i].key) == 0)
            fault_add(
                faults, 0, 0, records[all[i].record].name, "name-collision",
                "its output %s/%s would be a sample of the key of \"%s\", but for its suffix; "
                "--name-template '{dir}/{stem}_{ext}' tells suffixes apart",
                all[i].folder, all[i].output, records[all[i - 1].record].name);
    names_drop(&names);
}

void collisions_check(const struct job *job, struct faults *faults)
{
    struct name_list names = { .job = job };
    const struct named *all;

    read_names(&names);
    all = names.list.at;
    for (size_t i = 1; i < names.list.n; i++)
        check_pair(job, &all[i - 1], &all[i], faults);
    names_drop(&names);
    if (job->output.packing.most_samples && !faults->n)
        check_keys(job, faults);
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
    struct name_list names = { .job = job, .fold = true };
    int code = EXIT_DONE;

    read_names(&names);
    if (names.differ && !try_names(job, o, &names, faults)) {
        fault_add(faults, 0, 0, o->path, "out-unwritable", "%s", errno_text());
        code = EXIT_OUTPUT;
    } else if (names.differ && faults->n) {
        code = EXIT_INPUT;
    }
    names_drop(&names);
    return code;
}
