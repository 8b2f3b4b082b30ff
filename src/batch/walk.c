/* walk: the images of a folder, and of those below it, as a dataset without annotations. */
#include "input.h"
#include "job.h"
#include "names.h"

#include "../base/message.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A folder on the way to one that is listed. */
struct folder {
    const char *name; /* below the root; "" for the root */
    const struct folder *parent;
    bool linked; /* its name is that of a link */
    dev_t device;
    ino_t inode;
    struct folder *next; /* to be listed */
};

struct walk_images {
    struct dataset *dataset;
    const char *path;
    int root;
    enum links links;
    size_t room;
    struct arena arena; /* folders */
    struct folder *next;
    struct text *why;
};

static void add_record(struct walk_images *w, const char *name)
{
    struct dataset *d = w->dataset;
    struct arena *arena = d->arena;

    if (d->n_records == w->room) {
        struct record *more;

        w->room = 2 * w->room + 256;
        more = ARENA_ARRAY(arena, struct record, w->room);
        if (d->n_records)
            memcpy(more, d->records, d->n_records * sizeof *more);
        d->records = more;
    }
    name = arena_copy(arena, name, strlen(name));
    d->records[d->n_records++] = (struct record){ .name = name, .seed_key = name };
}

/* A path may be longer than anyone reads, and its end says most. */
static bool fail(struct walk_images *w, const char *name, const char *why)
{
    enum { SHOWN = 160 };
    size_t length = strlen(name);

    if (length > SHOWN)
        text_addf(w->why, "...%s", name + length - SHOWN);
    else
        text_adds(w->why, name);
    text_addf(w->why, "%s%s", *name ? ": " : "", why);
    return false;
}

/* --- one folder --- */

static void add_folder(struct walk_images *w, const struct folder *parent, const char *name,
                       bool linked)
{
    struct folder *f = ARENA_NEW(&w->arena, struct folder);

    *f = (struct folder){ .name = arena_copy(&w->arena, name, strlen(name)),
                          .parent = parent,
                          .linked = linked,
                          .next = w->next };
    w->next = f;
}

/* Links may lead to where nothing is, and names may be gone by now: those of images are listed all
 * the same, and reading will tell. Of others nobody can know what would have been listed. */
static bool visit_link(struct walk_images *w, int at, const char *entry,
                       const struct folder *parent, const char *name)
{
    struct stat status;

    if (fstatat(at, entry, &status, 0) != 0) {
        if (!name_is_image(entry))
            return fail(w, name,
                        "this link leads nowhere, so that images may be missing; remove "
                        "it, or bring back what it leads to");
        add_record(w, name);
    } else if (!S_ISDIR(status.st_mode)) {
        if (name_is_image(entry))
            add_record(w, name);
    } else if (w->links == LINKS_REFUSE) {
        return fail(w, name, "it is a link to a folder, and --no-follow is given");
    } else {
        add_folder(w, parent, name, true);
    }
    return true;
}

static bool visit(struct walk_images *w, int at, const struct dirent *entry,
                  const struct folder *parent, const char *name)
{
    unsigned char type = entry->d_type;
    struct stat status;

    if (type == DT_UNKNOWN) {
        if (fstatat(at, entry->d_name, &status, AT_SYMLINK_NOFOLLOW) == 0)
            type = IFTODT(status.st_mode);
        else if (errno != ENOENT)
            return fail(w, name, errno_text());
    }
    if (type == DT_LNK)
        return visit_link(w, at, entry->d_name, parent, name);
    if (type == DT_DIR)
        add_folder(w, parent, name, false);
    else if (name_is_image(entry->d_name))
        add_record(w, name);
    return true;
}

/* A link to a folder that it is in leads to nothing new. */
static bool is_round(const struct folder *f)
{
    bool linked = f->linked;

    for (const struct folder *up = f->parent; up; up = up->parent) {
        if (linked && up->device == f->device && up->inode == f->inode)
            return true;
        linked |= up->linked;
    }
    return false;
}

static bool list_entries(struct walk_images *w, const struct folder *f, DIR *stream)
{
    struct text name = { 0 };
    const struct dirent *entry;
    bool good = true;

    while (good) {
        errno = 0;
        entry = readdir(stream);
        if (!entry && errno)
            good = fail(w, f->name, errno_text());
        if (!entry)
            break;
        if (entry->d_name[0] == '.')
            continue;
        text_clear(&name);
        text_addf(&name, "%s%s%s", f->name, *f->name ? "/" : "", entry->d_name);
        good = visit(w, dirfd(stream), entry, f, text_string(&name));
    }
    text_drop(&name);
    return good;
}

static bool list_folder(struct walk_images *w, struct folder *f)
{
    struct stat status;
    int fd = input_open(w->root, *f->name ? f->name : ".", w->links, O_RDONLY | O_DIRECTORY);
    DIR *stream = fd < 0 ? NULL : fdopendir(fd);
    bool good = true;

    if (!stream || fstat(fd, &status) != 0) {
        good = fail(w, f->name, errno_text());
    } else {
        f->device = status.st_dev;
        f->inode = status.st_ino;
        if (is_round(f))
            message_print("lockstep: %s/%s: this link leads to a folder that it is in; it is not "
                          "followed",
                          w->path, f->name);
        else
            good = list_entries(w, f, stream);
    }
    if (stream)
        closedir(stream);
    else if (fd >= 0)
        close(fd);
    return good;
}

/* --- all of them --- */

static bool list_folders(struct walk_images *w)
{
    bool good = true;

    add_folder(w, NULL, "", false);
    while (good && w->next) {
        struct folder *f = w->next;

        w->next = f->next;
        good = list_folder(w, f);
    }
    arena_drop(&w->arena);
    return good;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(((const struct record *)a)->name, ((const struct record *)b)->name);
}

bool job_list_images(const char *path, enum links links, struct dataset *dataset, struct text *why)
{
    struct walk_images walk = { .dataset = dataset, .path = path, .links = links, .why = why };
    struct stat status;

    if (stat(path, &status) != 0) {
        text_adds(why, errno_text());
        return false;
    }
    if (S_ISDIR(status.st_mode)) {
        walk.root = input_folder(path);
        if (walk.root < 0)
            return fail(&walk, "", errno_text());
        if (!list_folders(&walk))
            return false;
    } else {
        const char *slash = strrchr(path, '/');

        add_record(&walk, slash ? slash + 1 : path);
    }
    if (dataset->n_records)
        qsort(dataset->records, dataset->n_records, sizeof *dataset->records, by_name);
    for (size_t i = 0; i < dataset->n_records; i++)
        dataset->records[i].id = (int64_t)i + 1;
    dataset->largest_id = (int64_t)dataset->n_records;
    if (!dataset->n_records)
        text_adds(why, "there are no images in this folder");
    return dataset->n_records > 0;
}
