/* locate: which file of the images' folder a name of the annotations means. */
#include "locate.h"

#include "walk.h"

#include "../base/files.h"
#include "../json/document.h"

#include <stdlib.h>
#include <string.h>

const struct choice match_choices[] = {
    { "path", MATCH_PATH, "file_name is the path below the folder" },
    { "basename", MATCH_BASENAME,
      "its last part alone counts; the one file below the folder that is called so is taken" },
    { 0 },
};

/* Exporters write the paths of Windows, too. */
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

static bool strip(struct dataset *d, const char *prefix, struct faults *faults)
{
    size_t length = strlen(prefix), n = 0;

    for (size_t i = 0; i < d->n_records; i++) {
        const char *name = d->records[i].name;

        if (strncmp(name, prefix, length) != 0)
            continue;
        name += length;
        rename_record(&d->records[i], name + strspn(name, "/"));
        n++;
    }
    return n || !d->n_records ||
           fault_add(faults, 0, 0, "--strip-prefix", "prefix-unknown",
                     "no file_name begins with %s; the first is %s", prefix, d->records[0].name);
}

/* --- the last part of a name --- */

struct file_list {
    struct arena arena;
    struct pile paths; /* of const char *, sorted by their last parts */
};

static int by_base(const void *a, const void *b)
{
    const char *x = *(const char *const *)a, *y = *(const char *const *)b;
    int order = strcmp(base_of(x), base_of(y));

    return order ? order : strcmp(x, y);
}

static bool keep_path(void *context, const struct walked *file, struct text *why)
{
    struct file_list *files = context;

    (void)why;
    if (!file->hidden)
        *(const char **)pile_add(&files->paths, sizeof(const char *)) =
            arena_copy(&files->arena, file->name, strlen(file->name));
    return true;
}

static void read_files(const struct job *job, struct file_list *files)
{
    const struct tree_walk walk = { .path = job->images,
                                    .links = job->links,
                                    .lenient = true,
                                    .visit = keep_path,
                                    .context = files };
    struct text why = { 0 };

    walk_files(&walk, &why);
    text_drop(&why);
    if (files->paths.n)
        qsort(files->paths.at, files->paths.n, sizeof(const char *), by_base);
}

/* The first file with this last part, and how many have it. */
static const char *const *find(const struct file_list *files, const char *base, size_t *n)
{
    const char *const *all = files->paths.at;
    size_t low = 0, high = files->paths.n;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (strcmp(base_of(all[middle]), base) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    *n = 0;
    while (low + *n < files->paths.n && strcmp(base_of(all[low + *n]), base) == 0)
        ++*n;
    return &all[low];
}

/* What is found nowhere keeps its name, and will be missing. */
static bool match(const struct file_list *files, struct dataset *d, struct faults *faults)
{
    for (size_t i = 0; i < d->n_records; i++) {
        struct record *r = &d->records[i];
        const char *const *found;
        size_t n;

        found = find(files, base_of(r->name), &n);
        if (n == 1)
            rename_record(r, arena_copy(d->arena, *found, strlen(*found)));
        else if (n > 1)
            fault_add(faults, 0, 0, r->name, "image-ambiguous",
                      "%zu files are called %s: %s, %s%s; use --match path, or rename them", n,
                      base_of(r->name), found[0], found[1], n > 2 ? ", ..." : "");
    }
    return !faults->n;
}

bool locate_images(const struct job *job, struct dataset *dataset, struct faults *faults)
{
    const char *prefix = job->strip_prefix;
    struct file_list files = { .paths = { 0 } };
    bool good = !prefix || !*prefix || strip(dataset, prefix, faults);

    if (good && job->match == MATCH_BASENAME) {
        read_files(job, &files);
        good = match(&files, dataset, faults);
        arena_drop(&files.arena);
        free(files.paths.at);
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

/* Is the image there without the first parts of its name? */
static bool hint_prefix(const struct job *job, const char *name, struct text *why)
{
    for (const char *slash = strchr(name, '/'); slash; slash = strchr(slash + 1, '/')) {
        const char *rest = slash + strspn(slash, "/");

        if (!is_there(job->images, rest))
            continue;
        text_addf(why, "; with --strip-prefix %.*s it is found", (int)(rest - name), name);
        return true;
    }
    return false;
}

/* Is it there from a folder above? */
static bool hint_above(const struct job *job, const char *name, struct text *why)
{
    enum { MOST_LEVELS = 4 };
    char *above = realpath(job->images, NULL), *slash;
    bool found = false;

    for (int i = 0; above && *name != '/' && i < MOST_LEVELS && !found; i++) {
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

/* Is it there in a folder below, or under another path? */
static bool hint_below(const struct job *job, const char *name, struct text *why)
{
    struct file_list files = { .paths = { 0 } };
    const char *const *found;
    size_t n, length = strlen(name);

    read_files(job, &files);
    found = find(&files, base_of(name), &n);
    for (size_t i = 0; i < n; i++) {
        size_t all = strlen(found[i]);

        if (all > length && found[i][all - length - 1] == '/' &&
            strcmp(found[i] + all - length, name) == 0) {
            text_addf(why, "; with -i %s/%.*s it is found", job->images, (int)(all - length - 1),
                      found[i]);
            n = 0;
        }
    }
    if (n == 1 && strcmp(found[0], name) != 0)
        text_addf(why, "; %s/%s is called so: with --match basename it is taken", job->images,
                  found[0]);
    arena_drop(&files.arena);
    free(files.paths.at);
    return n;
}

void locate_hint(const struct job *job, const char *name, struct text *why)
{
    if (!job_has_named_images(
            job)) /* the folder's own name: a link to nothing, or it was removed */
        return;
    if (!hint_prefix(job, name, why) && !hint_above(job, name, why))
        hint_below(job, name, why);
}
