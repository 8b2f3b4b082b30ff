/* resolve_names: finds the image file for each name in the annotations. */
#include "batch/dataset/resolve_names.h"

#include "batch/io/name_alike.h"
#include "batch/io/open.h"

#include "base/files.h"
#include "json/document.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

const struct choice match_choices[] = {
    { "path", MATCH_PATH, "file_name is the path below the folder" },
    { "basename", MATCH_BASENAME,
      "only the last part of file_name counts; the one file of this name below the folder is "
      "used" },
    { 0 },
};

/* Returns the last part of a name. Exporters may write Windows paths. */
static const char *base_of(const char *name)
{
    const char *base = name;

    for (const char *c = name; *c; c++)
        if (*c == '/' || *c == '\\')
            base = c + 1;
    return base;
}

static void rename_record(struct record *r, const char *name)
{
    if (!r->annotated)
        r->annotated = r->name;
    r->name = name;
}

/* --- a prefix --- */

const char *resolve_name(const char *name, const char *prefix, enum match match)
{
    size_t length = prefix ? strlen(prefix) : 0;

    if (length && strncmp(name, prefix, length) == 0) {
        name += length;
        name += strspn(name, "/");
    }
    return match == MATCH_BASENAME ? base_of(name) : name;
}

static bool strip(struct dataset *d, const char *prefix, struct faults *faults)
{
    size_t n = 0;

    for (size_t i = 0; i < d->n_records; i++) {
        const char *name = resolve_name(d->records[i].name, prefix, MATCH_PATH);

        if (name == d->records[i].name)
            continue;
        rename_record(&d->records[i], name);
        n++;
    }
    return n || !d->n_records ||
           fault_add(faults, 0, 0, "--strip-prefix", "prefix-unknown",
                     "no file_name begins with %s; the first is %s", prefix, d->records[0].name);
}

/* --- the last part of a name --- */

/* A file below one of the folders. */
struct found_file {
    const char *path;
    size_t root;
};

struct file_list {
    struct arena arena;
    struct pile files; /* struct found_file, sorted by their last parts */
    size_t root;       /* index of the folder that is being listed */
};

static int by_base(const void *a, const void *b)
{
    const struct found_file *x = a, *y = b;
    int order = strcmp(base_of(x->path), base_of(y->path));

    return order ? order : strcmp(x->path, y->path);
}

static bool keep_file(void *context, const struct walked_file *file, struct text *why)
{
    struct file_list *files = context;

    (void)why;
    if (!file->hidden)
        *(struct found_file *)pile_add(&files->files, sizeof(struct found_file)) =
            (struct found_file){ arena_copy(&files->arena, file->name, strlen(file->name)),
                                 files->root };
    return true;
}

static void read_files(const struct job *job, struct file_list *files)
{
    struct text why = { 0 };

    for (files->root = 0; files->root < job->images.roots.n; files->root++) {
        const struct tree_walk walk = { .path = job->images.roots.at[files->root],
                                        .links = job->images.links,
                                        .lenient = true,
                                        .visit = keep_file,
                                        .context = files };

        walk_files(&walk, &why);
    }
    text_drop(&why);
    if (files->files.n)
        qsort(files->files.at, files->files.n, sizeof(struct found_file), by_base);
}

static void files_drop(struct file_list *files)
{
    arena_drop(&files->arena);
    free(files->files.at);
}

/* Returns the first file with this last part; *n gets the number of such files. */
static const struct found_file *find(const struct file_list *files, const char *base, size_t *n)
{
    const struct found_file *all = files->files.at;
    size_t low = 0, high = files->files.n;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (strcmp(base_of(all[middle].path), base) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    *n = 0;
    while (low + *n < files->files.n && strcmp(base_of(all[low + *n].path), base) == 0)
        ++*n;
    return &all[low];
}

/* Replaces names by paths. A name without a file is kept, and is reported as missing later. */
static bool match(const struct file_list *files, struct dataset *d, uint8_t *of,
                  struct faults *faults)
{
    for (size_t i = 0; i < d->n_records; i++) {
        struct record *r = &d->records[i];
        const struct found_file *found;
        size_t n;

        found = find(files, base_of(r->name), &n);
        if (n == 1) {
            rename_record(r, arena_copy(d->arena, found->path, strlen(found->path)));
            if (of)
                of[i] = (uint8_t)found->root;
        } else if (n > 1) {
            fault_add(faults, 0, 0, r->name, "image-ambiguous",
                      "%zu files are called %s: %s, %s%s; use --match path, or rename them", n,
                      base_of(r->name), found[0].path, found[1].path, n > 2 ? ", ..." : "");
        }
    }
    return !faults->n;
}

/* --- several folders --- */

static bool is_below(const char *folder, const char *name, enum links links)
{
    struct text why = { 0 };
    bool there = input_exists(folder, name, links, &why);

    text_drop(&why);
    return there;
}

/* Finds the folder of an image. An image that is in no folder is reported later, as missing from
 * the first one. */
static bool find_root(const struct job *job, const char *name, uint8_t *of, struct faults *faults)
{
    const char *const *root = job->images.roots.at, *fault;
    size_t found = job->images.roots.n;

    *of = 0;
    if (!name_is_safe(name, &fault))
        return true;
    for (size_t i = 0; i < job->images.roots.n; i++) {
        if (!is_below(root[i], name, job->images.links))
            continue;
        if (found < job->images.roots.n)
            return fault_add(faults, 0, 0, name, "image-ambiguous",
                             "it is in %s and in %s; give only one of them, or their parent folder "
                             "with names relative to it",
                             root[found], root[i]);
        found = i;
        *of = (uint8_t)i;
    }
    return true;
}

static bool find_roots(const struct job *job, const struct dataset *d, uint8_t *of,
                       struct faults *faults)
{
    for (size_t i = 0; i < d->n_records; i++)
        find_root(job, d->records[i].name, &of[i], faults);
    return !faults->n;
}

bool resolve_names(struct job *job, struct dataset *dataset, struct faults *faults)
{
    const char *prefix = job->images.strip_prefix;
    struct file_list files = { .root = 0 };
    bool good = !prefix || !*prefix || strip(dataset, prefix, faults);
    uint8_t *of =
        job->images.roots.n > 1 ? ARENA_ARRAY(dataset->arena, uint8_t, dataset->n_records) : NULL;

    job->images.roots.of = of;
    if (good && job->images.match == MATCH_BASENAME) {
        read_files(job, &files);
        good = match(&files, dataset, of, faults);
        files_drop(&files);
    } else if (good && of) {
        good = find_roots(job, dataset, of, faults);
    }
    return good;
}

/* --- hints --- */

static bool is_there(const char *folder, const char *name)
{
    struct text why = { 0 };
    const char *fault;
    bool there = name_is_safe(name, &fault) && input_exists(folder, name, LINKS_FOLLOW, &why);

    text_drop(&why);
    return there;
}

/* Appends a hint and returns true if the image exists without the first parts of its name. */
static bool hint_prefix(const struct job *job, const char *name, struct text *why)
{
    for (const char *slash = strchr(name, '/'); slash; slash = strchr(slash + 1, '/')) {
        const char *rest = slash + strspn(slash, "/");
        bool there = false;

        for (size_t i = 0; i < job->images.roots.n; i++)
            there |= is_there(job->images.roots.at[i], rest);
        if (!there)
            continue;
        text_addf(why, "; with --strip-prefix %.*s it is found", (int)(rest - name), name);
        return true;
    }
    return false;
}

/* Appends a hint and returns true if the name is relative to a parent folder. */
static bool hint_above(const char *root, const char *name, struct text *why)
{
    enum { MAX_LEVELS = 4 };
    char *above = realpath(root, NULL), *slash;
    bool found = false;

    for (int i = 0; above && *name != '/' && i < MAX_LEVELS && !found; i++) {
        slash = strrchr(above, '/');
        if (!slash || slash == above)
            break;
        *slash = '\0';
        found = is_there(above, name);
    }
    if (found)
        text_addf(why, "; with -i %s it is found", above);
    free(above);
    return found;
}

/* Appends a hint to the first file whose name differs only in case or Unicode form. */
static void hint_alike(const struct job *job, const struct file_list *files, const char *name,
                       struct text *why)
{
    const struct found_file *all = files->files.at;

    for (size_t i = 0; i < files->files.n; i++)
        if (names_are_alike(all[i].path, name)) {
            text_addf(why, "; the name of %s/%s differs only in %s: rename one of them",
                      job->images.roots.at[all[i].root], all[i].path,
                      strcasecmp(all[i].path, name) == 0 ? "case" : "its Unicode form");
            return;
        }
}

/* Appends a hint if the image is in a subfolder, or under another path. */
static void hint_below(const struct job *job, const char *name, struct text *why)
{
    struct file_list files = { .root = 0 };
    const struct found_file *found;
    size_t n, length = strlen(name);

    read_files(job, &files);
    found = find(&files, base_of(name), &n);
    for (size_t i = 0; i < n; i++) {
        const char *path = found[i].path;
        size_t all = strlen(path);

        const char *root = job->images.roots.at[found[i].root];

        if (all > length && path[all - length - 1] == '/' &&
            strcmp(path + all - length, name) == 0 && path_is_folder(root)) {
            text_addf(why, "; with -i %s/%.*s it is found", root, (int)(all - length - 1), path);
            files_drop(&files);
            return;
        }
    }
    if (n == 1 && strcmp(found[0].path, name) != 0)
        text_addf(why,
                  "; %s/%s has this file name; use --match basename to match by file name alone",
                  job->images.roots.at[found[0].root], found[0].path);
    else if (n != 1)
        hint_alike(job, &files, name, why);
    files_drop(&files);
}

void resolve_hint(const struct job *job, const char *name, struct text *why)
{
    if (!job_has_named_images(job)) /* from the folder: a broken link, or removed */
        return;
    if (hint_prefix(job, name, why))
        return;
    for (size_t i = 0; i < job->images.roots.n; i++)
        if (hint_above(job->images.roots.at[i], name, why))
            return;
    hint_below(job, name, why);
}
