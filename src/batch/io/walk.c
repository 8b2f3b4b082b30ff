/* walk: visits all files in a folder tree; removes folder contents. */
#include "batch/io/walk.h"

#include "batch/io/folder.h"

#include "base/arena.h"
#include "base/eintr.h"
#include "base/stderr_line.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

/* A folder to list, or a parent of one. */
struct folder {
    const char *name; /* path below the root; "" for the root */
    const struct folder *parent;
    bool linked; /* reached through a symbolic link */
    dev_t device;
    ino_t inode;
    struct folder *next; /* next folder to list */
};

struct walk_state {
    const struct tree_walk *walk;
    int root;
    struct arena arena; /* owns the folders */
    struct folder *next;
    struct text *why;
};

/* Shows the end of a long path, which tells most. */
static bool fail(struct walk_state *w, const char *name, const char *why)
{
    enum { SHOWN = 160 };
    size_t length = strlen(name);

    if (w->walk->lenient)
        return true;
    if (length > SHOWN)
        text_addf(w->why, "...%s", name + length - SHOWN);
    else
        text_adds(w->why, name);
    text_addf(w->why, "%s%s", *name ? ": " : "", why);
    return false;
}

/* --- one folder --- */

static void add_folder(struct walk_state *w, const struct folder *parent, const char *name,
                       bool linked)
{
    struct folder *f = ARENA_NEW(&w->arena, struct folder);

    *f = (struct folder){ .name = arena_copy(&w->arena, name, strlen(name)),
                          .parent = parent,
                          .linked = linked,
                          .next = w->next };
    w->next = f;
}

static bool visit_file(struct walk_state *w, struct walked_file file)
{
    file.hidden = file.entry[0] == '.';
    return w->walk->visit(w->walk->context, &file, w->why);
}

static bool visit_link(struct walk_state *w, int at, const char *entry, const struct folder *parent,
                       const char *name)
{
    struct walked_file file = { .name = name, .entry = entry, .linked = true };
    struct stat status;

    file.lost = fstatat(at, entry, &status, 0) != 0;
    if (file.lost || !S_ISDIR(status.st_mode))
        return visit_file(w, file);
    if (entry[0] == '.')
        return true;
    if (w->walk->links == LINKS_REFUSE)
        return fail(w, name, "it is a link to a folder, and --no-follow is given");
    add_folder(w, parent, name, true);
    return true;
}

static bool visit(struct walk_state *w, int at, const struct dirent *entry,
                  const struct folder *parent, const char *name)
{
    unsigned char type = entry->d_type;
    struct stat status;

    if (type == DT_UNKNOWN) {
        if (fstatat(at, entry->d_name, &status, AT_SYMLINK_NOFOLLOW) == 0)
            type = (unsigned char)IFTODT(status.st_mode);
        else if (errno != ENOENT)
            return fail(w, name, errno_text());
    }
    if (type == DT_LNK)
        return visit_link(w, at, entry->d_name, parent, name);
    if (type != DT_DIR)
        return visit_file(w, (struct walked_file){ .name = name, .entry = entry->d_name });
    if (entry->d_name[0] != '.')
        add_folder(w, parent, name, false);
    return true;
}

/* True if the folder was reached by a link to one of its own parents, which leads to nothing new.
 */
static bool is_link_cycle(const struct folder *f)
{
    bool linked = f->linked;

    for (const struct folder *up = f->parent; up; up = up->parent) {
        if (linked && up->device == f->device && up->inode == f->inode)
            return true;
        linked |= up->linked;
    }
    return false;
}

static bool list_entries(struct walk_state *w, const struct folder *f, DIR *stream)
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
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
            continue;
        text_clear(&name);
        text_addf(&name, "%s%s%s", f->name, *f->name ? "/" : "", entry->d_name);
        good = visit(w, dirfd(stream), entry, f, text_string(&name));
    }
    text_drop(&name);
    return good;
}

static bool list_folder(struct walk_state *w, struct folder *f)
{
    struct stat status;
    int fd = input_open(w->root, *f->name ? f->name : ".", w->walk->links, O_RDONLY | O_DIRECTORY);
    DIR *stream = fd < 0 ? NULL : fdopendir(fd);
    bool good = true;

    if (!stream || fstat(fd, &status) != 0) {
        good = fail(w, f->name, errno_text());
    } else {
        f->device = status.st_dev;
        f->inode = status.st_ino;
        if (is_link_cycle(f))
            message_print("lockstep: warning: %s/%s: this link leads to a parent folder of itself; "
                          "it is not followed",
                          w->walk->path, f->name);
        else
            good = list_entries(w, f, stream);
    }
    if (stream)
        closedir(stream);
    else if (fd >= 0)
        close(fd);
    return good;
}

/* --- the whole tree --- */

bool folder_walk(const struct root *root, const struct tree_walk *walk, struct text *why)
{
    struct walk_state w = { .walk = walk, .root = input_folder(root->path), .why = why };
    bool good = w.root >= 0 || fail(&w, "", errno_text());

    if (w.root >= 0)
        add_folder(&w, NULL, "", false);
    while (good && w.next) {
        struct folder *f = w.next;

        w.next = f->next;
        good = list_folder(&w, f);
    }
    arena_drop(&w.arena);
    return good;
}

/* --- contents of a folder --- */

enum {
    FOLDER = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC,
    DEEPEST = 64, /* maximum depth of folders below a folder that is emptied */
    PASSES = 16,  /* maximum number of passes over a folder that is emptied */
};

static bool is_one_of(const char *name, const char *const *names)
{
    for (; *names; names++)
        if (strcmp(name, *names) == 0)
            return true;
    return false;
}

static DIR *list_at(int folder, const char *name)
{
    int file = RETRY(openat(folder, name, FOLDER));
    DIR *list = file < 0 ? NULL : fdopendir(file);

    if (file >= 0 && !list) {
        errno_text(); /* ends the process for ENOMEM: a lack of memory must not look like a folder
                         in use */
        close(file);
    }
    return list;
}

/* Returns the next entry that is not in `but`; NULL at the end, or with errno if the folder cannot
 * be read. */
static const char *next_entry(DIR *list, const char *const *but)
{
    struct dirent *entry;

    errno = 0;
    while ((entry = readdir(list)))
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0 &&
            !is_one_of(entry->d_name, but))
            return entry->d_name;
    return NULL;
}

int folder_holds_only(int folder, const char *name, const char *const *but)
{
    DIR *list = list_at(folder, name);
    bool more = list && next_entry(list, but);
    int saved = errno;

    if (list)
        closedir(list);
    errno = saved;
    return more ? 0 : list && !saved ? 1 : -1;
}

static bool clear_folder(int folder, const char *name, const char *const *but, unsigned depth);

static bool remove_entry(int folder, const char *name, unsigned depth)
{
    static const char *const NONE[] = { NULL };

    if (RETRY(unlinkat(folder, name, 0)) == 0 || errno == ENOENT)
        return true;
    if (errno != EISDIR && errno != EPERM)
        return false;
    if (depth == DEEPEST) {
        errno = ELOOP;
        return false;
    }
    return clear_folder(folder, name, NONE, depth + 1) &&
           (RETRY(unlinkat(folder, name, AT_REMOVEDIR)) == 0 || errno == ENOENT);
}

/* Removes the contents of a folder; removes links without following them. A file system may skip
 * entries while others are removed, so passes repeat until the folder is empty. Their number is
 * limited, since some file systems keep open files under new names. */
static bool clear_folder(int folder, const char *name, const char *const *but, unsigned depth)
{
    DIR *list = list_at(folder, name);
    const char *entry;
    bool good = list != NULL, found = true;
    int saved;

    for (int i = 0; good && found; i++) {
        found = false;
        if (i == PASSES) {
            errno = EBUSY;
            good = false;
            break;
        }
        rewinddir(list);
        while (good && (entry = next_entry(list, but))) {
            good = remove_entry(dirfd(list), entry, depth);
            found = true;
        }
        good = good && !errno;
    }
    saved = errno;
    if (list)
        closedir(list);
    errno = saved;
    return good;
}

bool folder_clear(int folder, const char *name, const char *const *but)
{
    return clear_folder(folder, name, but, 0);
}

bool folder_remove_entry(int folder, const char *name)
{
    return remove_entry(folder, name, 0);
}
