/* list_images: lists the images of a folder as a dataset without annotations. */
#include "batch/dataset/list_images.h"

#include "batch/io/archive_set.h"
#include "batch/io/open.h"
#include "batch/io/image_name.h"

#include "base/files.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* State of a listing. */
struct listing {
    struct arena *arena;
    struct pile records; /* struct record; `id` is the index of its folder until all are sorted */
    size_t root;
    const char *below; /* the listed folder below its root; "": the root */
    struct skipped_files *passed;
};

static void add_record(struct listing *l, const char *name)
{
    struct record *record = pile_add(&l->records, sizeof *record);

    name = arena_printf(l->arena, "%s%s%s", l->below, *l->below ? "/" : "", name);
    record->name = record->seed_key = name;
    record->id = (int64_t)l->root;
}

/* Adds a file. A dangling link with the suffix of an image is listed, and reading it fails later.
 * Any other dangling link is a fault, since it could have led to a folder of images. */
static bool add_file(void *context, const struct walked_file *file, struct text *why)
{
    struct listing *l = context;

    if (!file->hidden && name_is_image(file->entry)) {
        add_record(l, file->name);
        return true;
    }
    if (file->lost && !file->hidden) {
        text_addf(
            why,
            "%s: this link is broken, so images may be missing; remove it, or restore its target",
            file->name);
        return false;
    }
    if (l->passed)
        skipped_files_add(l->passed, file, false);
    return true;
}

static int by_name(const void *a, const void *b)
{
    const struct record *x = a, *y = b;
    int order = strcmp(x->name, y->name);

    return order ? order : (x->id > y->id) - (x->id < y->id);
}

void listing_sort(struct dataset *d)
{
    if (d->n_records)
        qsort(d->records, d->n_records, sizeof *d->records, by_name);
    for (size_t i = 0; i < d->n_records; i++)
        d->records[i].id = (int64_t)i + 1;
    d->largest_id = (int64_t)d->n_records;
}

static void sort(struct dataset *d, struct roots *roots)
{
    uint8_t *of = roots->n > 1 ? ARENA_ARRAY(d->arena, uint8_t, d->n_records) : NULL;

    if (of && d->n_records)
        qsort(d->records, d->n_records, sizeof *d->records, by_name);
    for (size_t i = 0; of && i < d->n_records; i++)
        of[i] = (uint8_t)d->records[i].id;
    roots->of = of;
    listing_sort(d);
}

static bool list(struct listing *l, const char *path, enum links links, struct text *why)
{
    const struct tree_walk walk = { .path = path, .links = links, .visit = add_file, .context = l };
    const char *slash = strrchr(path, '/');
    bool archive = archive_at(path);
    struct stat status;

    if (!archive && stat(path, &status) != 0) {
        text_adds(why, errno_text());
        return false;
    }
    if (l->passed)
        l->passed->folder = path;
    if (archive || S_ISDIR(status.st_mode))
        return walk_files(&walk, why);
    add_record(l, slash ? slash + 1 : path);
    return true;
}

/* Lists what is at these places below the folder. A missing file is listed: reading it fails. */
static bool list_places(struct listing *l, const struct job *job, const char **failed,
                        struct text *why)
{
    struct text path = { 0 };
    bool good = true;

    for (size_t i = 0; good && i < job->images.n_places; i++) {
        const char *place = job->images.places[i];
        struct stat status;

        text_clear(&path);
        path_join(&path, job->images.roots.at[0], place);
        l->below = place;
        if (stat(text_string(&path), &status) == 0 && S_ISDIR(status.st_mode)) {
            *failed = arena_copy(l->arena, text_string(&path), path.length);
            good = list(l, *failed, job->images.links, why);
        } else {
            l->below = "";
            add_record(l, place);
        }
    }
    text_drop(&path);
    return good;
}

/* An image that several places name is one image. */
static void drop_repeated(struct dataset *d)
{
    size_t n = 0;

    for (size_t i = 0; i < d->n_records; i++)
        if (!n || strcmp(d->records[n - 1].name, d->records[i].name) != 0)
            d->records[n++] = d->records[i];
    d->n_records = n;
    listing_sort(d);
}

bool listing_read(struct job *job, struct dataset *dataset, struct skipped_files *passed,
                  const char **failed, struct text *why)
{
    struct listing listing = { .arena = dataset->arena, .below = "", .passed = passed };
    bool good = true;

    if (job->images.places)
        good = list_places(&listing, job, failed, why);
    for (size_t i = 0; !job->images.places && good && i < job->images.roots.n; i++) {
        listing.root = i;
        *failed = job->images.roots.at[i];
        good = list(&listing, *failed, job->images.links, why);
    }
    arena_take_over(dataset->arena, listing.records.at);
    dataset->records = listing.records.at;
    dataset->n_records = listing.records.n;
    sort(dataset, &job->images.roots);
    if (job->images.places)
        drop_repeated(dataset);
    return good;
}

/* --- comparison with annotations --- */

struct comparison {
    const char **names; /* names of all images, sorted */
    size_t n;
    struct skipped_files *passed;
};

static int by_string(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static bool compare_file(void *context, const struct walked_file *file, struct text *why)
{
    struct comparison *c = context;

    (void)why;
    if (!c->n || !bsearch(&file->name, c->names, c->n, sizeof *c->names, by_string))
        skipped_files_add(c->passed, file, name_is_image(file->entry));
    return true;
}

static void compare(const struct job *job, size_t root)
{
    const struct dataset *d = job->dataset;
    struct comparison c = { .passed = job->images.passed };
    const struct tree_walk walk = { .path = job->images.roots.at[root],
                                    .links = job->images.links,
                                    .lenient = true,
                                    .visit = compare_file,
                                    .context = &c };
    struct text why = { 0 };

    c.names = memory_take((d->n_records + 1) * sizeof *c.names);
    for (size_t i = 0; i < d->n_records; i++)
        if (job_root(job, i) == walk.path)
            c.names[c.n++] = d->records[i].name;
    qsort(c.names, c.n, sizeof *c.names, by_string);
    c.passed->folder = walk.path;
    walk_files(&walk, &why);
    free(c.names);
    text_drop(&why);
}

void listing_compare(const struct job *job)
{
    for (size_t i = 0; !job->images.places && i < job->images.roots.n; i++)
        compare(job, i);
}
