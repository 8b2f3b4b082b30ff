/* name_collisions: finds outputs of a job that would be the same file, or a file where another
 * output needs a folder. */
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

struct output_key {
    const char *key, *output; /* `key` is compared */
    const char *folder;
    size_t record;
};

/* --- hashes of paths: a job may have millions of outputs without a collision --- */

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
    bool fold, differ; /* compare folded names; true: one differs from its original */
    bool stems;        /* compare names without their suffixes */
    struct text path, folded;
    struct pile files, folders; /* uint64_t: hashes of outputs' paths, and of their folders */
    uint64_t last;              /* hash of the last output's folder */
    struct pile shared;         /* hashes that two outputs share, or a file and a folder; sorted */
    struct arena arena;
    struct pile list; /* of struct output_key: outputs that may collide */
};

/* Sets `path` to the path that is compared. Returns the part after the folder of OUT. */
static const char *print_path(struct name_list *names, const struct job_output *output)
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

/* Returns the end of the next folder in the path, after the folder that ends at `at` (0: the top
 * folder of OUT). Returns 0 if the file follows. */
static size_t next_folder(const struct text *path, size_t at)
{
    const char *from = path->at + at + (at ? 1 : strcspn(path->at, "/") + 1);
    const char *slash = strchr(from, '/');

    return slash ? (size_t)(slash - path->at) : 0;
}

static void add_folders(struct name_list *names)
{
    const char *slash = strrchr(text_string(&names->path), '/');
    uint64_t all = slash ? hash_quick(names->path.at, (size_t)(slash - names->path.at)) : 0;

    if (!slash || all == names->last)
        return;
    names->last = all;
    for (size_t at = 0; (at = next_folder(&names->path, at));)
        add_hash(&names->folders, hash_quick(names->path.at, at));
}

static void add_path(void *context, const struct job_output *output)
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

static bool may_collide(const struct name_list *names)
{
    const struct text *path = &names->path;
    bool found = has_hash(&names->shared, hash_quick(path->at, path->length));

    for (size_t at = 0; !found && (at = next_folder(path, at));)
        found = has_hash(&names->shared, hash_quick(path->at, at));
    return found;
}

static void add_output(void *context, const struct job_output *output)
{
    struct name_list *names = context;
    const char *key = print_path(names, output);
    struct output_key *entry;

    if (!may_collide(names))
        return;
    entry = pile_add(&names->list, sizeof *entry);
    entry->output = entry->key = arena_copy(&names->arena, output->name, strlen(output->name));
    if (strcmp(key, output->name) != 0)
        entry->key = arena_copy(&names->arena, key, strlen(key));
    entry->folder = output->folder;
    entry->record = output->record;
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

/* Returns the rank of a path's byte. Slashes come first, so that the contents of a folder directly
 * follow the path of the folder. */
static int path_order(char c)
{
    return c == '/' ? 1 : c ? (unsigned char)c + 1 : 0;
}

static int by_key(const void *a, const void *b)
{
    const struct output_key *x = a, *y = b;
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

/* Lists the outputs that may collide, sorted by path. */
static void read_names(struct name_list *names)
{
    outputs_walk_distinct(names->job, add_path, names);
    find_shared(names);
    if (names->shared.n)
        outputs_walk_distinct(names->job, add_output, names);
    if (names->list.n)
        qsort(names->list.at, names->list.n, sizeof(struct output_key), by_key);
}

/* --- names that are equal byte by byte --- */

/* Returns what makes the names of the outputs of two records distinct. */
static const char *advice(const struct job *job, size_t a, size_t b)
{
    if (combination_part_of(job->dataset, a) != combination_part_of(job->dataset, b))
        return "the images of these parts are in one folder: rename images, or choose one part "
               "with --part";
    return "--name-template '{dir}/{stem}_{ext}' keeps the suffixes distinct";
}

/* Checks two outputs that are adjacent in sorted order. */
static void check_pair(const struct job *job, const struct output_key *a,
                       const struct output_key *b, struct faults *faults)
{
    const struct record *records = job->dataset->records;

    if (a->folder != b->folder)
        return;
    if (strcmp(a->output, b->output) == 0)
        fault_add(faults, 0, 0, records[b->record].name, "name-collision",
                  "its output %s%s%s would be the output of \"%s\" too; %s", b->folder,
                  *b->folder ? "/" : "", b->output, records[a->record].name,
                  advice(job, a->record, b->record));
    else if (is_within(b->output, a->output))
        fault_add(faults, 0, 0, records[b->record].name, "name-collision",
                  "its output %s/%s would need a folder where the output of \"%s\" is a file",
                  b->folder, b->output, records[a->record].name);
}

/* Checks the keys of samples in tars: equal keys would merge the members of two samples into one.
 */
static void check_keys(const struct job *job, struct faults *faults)
{
    struct name_list names = { .job = job, .stems = true };
    const struct record *records = job->dataset->records;
    const struct output_key *all;

    read_names(&names);
    all = names.list.at;
    for (size_t i = 1; i < names.list.n; i++)
        if (all[i - 1].folder == all[i].folder && strcmp(all[i - 1].key, all[i].key) == 0)
            fault_add(faults, 0, 0, records[all[i].record].name, "name-collision",
                      "its output %s/%s differs from the output of \"%s\" only in its suffix, so "
                      "both would be one sample; --name-template '{dir}/{stem}_{ext}' keeps the "
                      "suffixes distinct",
                      all[i].folder, all[i].output, records[all[i - 1].record].name);
    names_drop(&names);
}

void name_collisions_check(const struct job *job, struct faults *faults)
{
    struct name_list names = { .job = job };
    const struct output_key *all;

    read_names(&names);
    all = names.list.at;
    for (size_t i = 1; i < names.list.n; i++)
        check_pair(job, &all[i - 1], &all[i], faults);
    names_drop(&names);
    if (job->output.packing.max_samples && !faults->n)
        check_keys(job, faults);
}

/* --- names that a file system does not distinguish --- */

/* True if the output's key equals the key of the first of its group, or is inside of it. */
static bool is_like(const struct output_key *first, const struct output_key *other)
{
    return first->folder == other->folder &&
           (strcmp(first->key, other->key) == 0 || is_within(other->key, first->key));
}

/* Creates all files of a group in the scratch. If a file exists already, the file system takes it
 * for an earlier one of the group. */
static bool try_group(const struct job *job, struct out_dir *o, const struct output_key *group,
                      size_t n, struct faults *faults)
{
    const struct record *records = job->dataset->records;
    bool good = true;

    for (size_t i = 0; good && i < n; i++) {
        if (out_dir_try_name(o, group[i].output))
            continue;
        good = errno == EEXIST || errno == ENOTDIR || errno == EISDIR;
        if (good)
            fault_add(faults, 0, 0, records[group[i].record].name, "name-collision",
                      "%s does not distinguish its output %s/%s from the output of \"%s\", which "
                      "has another spelling (letter case or accents); write to another file "
                      "system, or rename one of them",
                      o->path, group[i].folder, group[i].output, records[group[0].record].name);
    }
    return good;
}

static bool try_names(const struct job *job, struct out_dir *o, const struct name_list *names,
                      struct faults *faults)
{
    const struct output_key *all = names->list.at;
    bool good = true;

    for (size_t i = 0, n; good && i < names->list.n; i += n) {
        for (n = 1; i + n < names->list.n && is_like(&all[i], &all[i + n]);)
            n++;
        if (n > 1)
            good = try_group(job, o, &all[i], n, faults) && out_dir_end_tries(o);
    }
    return good;
}

int name_collisions_check_folded(const struct job *job, struct out_dir *o, struct faults *faults)
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
