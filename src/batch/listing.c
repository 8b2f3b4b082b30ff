/* listing: the images of a folder as a dataset without annotations. */
#include "listing.h"

#include "names.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* A listing in work. */
struct listing {
    struct arena *arena;
    struct pile records;
    struct passed *passed;
};

static void add_record(struct listing *l, const char *name)
{
    struct record *record = pile_add(&l->records, sizeof *record);

    record->name = record->seed_key = arena_copy(l->arena, name, strlen(name));
}

/* Links may lead to where nothing is: those of images are listed all the same, and reading will
 * tell. Of others nobody can know what would have been listed. */
static bool add_file(void *context, const struct walked *file, struct text *why)
{
    struct listing *l = context;

    if (!file->hidden && name_is_image(file->entry)) {
        add_record(l, file->name);
        return true;
    }
    if (file->lost && !file->hidden) {
        text_addf(why,
                  "%s: this link leads nowhere, so that images may be missing; remove it, or "
                  "bring back what it leads to",
                  file->name);
        return false;
    }
    if (l->passed)
        passed_add(l->passed, file, false);
    return true;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(((const struct record *)a)->name, ((const struct record *)b)->name);
}

void listing_sort(struct dataset *d)
{
    if (d->n_records)
        qsort(d->records, d->n_records, sizeof *d->records, by_name);
    for (size_t i = 0; i < d->n_records; i++)
        d->records[i].id = (int64_t)i + 1;
    d->largest_id = (int64_t)d->n_records;
}

bool listing_read(const char *path, enum links links, struct dataset *dataset,
                  struct passed *passed, struct text *why)
{
    struct listing listing = { .arena = dataset->arena, .passed = passed };
    const struct tree_walk walk = {
        .path = path, .links = links, .visit = add_file, .context = &listing
    };
    const char *slash = strrchr(path, '/');
    struct stat status;
    bool good = stat(path, &status) == 0;

    if (!good)
        text_adds(why, errno_text());
    else if (!S_ISDIR(status.st_mode))
        add_record(&listing, slash ? slash + 1 : path);
    else
        good = walk_files(&walk, why);
    arena_take_over(dataset->arena, listing.records.at);
    dataset->records = listing.records.at;
    dataset->n_records = listing.records.n;
    listing_sort(dataset);
    return good;
}

/* --- beside annotations --- */

struct comparison {
    const char **names; /* of all images, sorted */
    size_t n;
    struct passed *passed;
};

static int by_string(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static bool compare_file(void *context, const struct walked *file, struct text *why)
{
    struct comparison *c = context;

    (void)why;
    if (!c->n || !bsearch(&file->name, c->names, c->n, sizeof *c->names, by_string))
        passed_add(c->passed, file, name_is_image(file->entry));
    return true;
}

void listing_compare(const char *path, enum links links, const struct dataset *dataset,
                     struct passed *passed)
{
    struct comparison c = { .n = dataset->n_records, .passed = passed };
    const struct tree_walk walk = {
        .path = path, .links = links, .lenient = true, .visit = compare_file, .context = &c
    };
    struct text why = { 0 };

    c.names = memory_take((c.n + 1) * sizeof *c.names);
    for (size_t i = 0; i < c.n; i++)
        c.names[i] = dataset->records[i].name;
    qsort(c.names, c.n, sizeof *c.names, by_string);
    walk_files(&walk, &why);
    free(c.names);
    text_drop(&why);
}
