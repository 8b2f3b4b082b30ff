/* root: chooses the implementation of a root. */
#include "batch/io/root.h"

#include "batch/io/archive_read.h"
#include "batch/io/folder.h"
#include "batch/io/walk.h"
#include "batch/io/archive_set.h"

#include "base/hash.h"

#include <string.h>

/* --- archives --- */

static bool member_status(const struct root *root, const char *name, enum links links,
                          struct stat *status, struct text *why)
{
    (void)links;
    return archive_status(root->archive, name, status, why);
}

static bool member_hash(const struct root *root, const char *name, enum links links, uint64_t *hash)
{
    struct text bytes = { 0 }, why = { 0 };
    struct stat status;
    bool good = archive_read(root->archive, name, NULL, UINT64_MAX, &bytes, &status, &why);

    (void)links;
    if (good)
        *hash = hash_quick(text_string(&bytes), bytes.length);
    text_drop(&bytes);
    text_drop(&why);
    return good;
}

static void member_expect(const struct root *root, const char *name, enum links links)
{
    (void)links;
    archive_expect(root->archive, name);
}

static bool member_read(const struct root *root, const char *name, enum links links,
                        const struct input_check *check, struct text *out, struct stat *status,
                        struct text *why)
{
    (void)links;
    return archive_read(root->archive, name, check, UINT64_MAX, out, status, why);
}

static bool member_read_small(const struct root *root, const char *name, enum links links,
                              uint64_t max, struct text *out, struct text *why)
{
    struct stat status;

    (void)links;
    return archive_read(root->archive, name, NULL, max, out, &status, why);
}

static size_t member_begin(const struct root *root, const char *name, enum links links, void *to,
                           size_t room, uint64_t *length)
{
    struct text why = { 0 };
    bool good = archive_begin(root->archive, name, to, room, length, &why);

    (void)links;
    text_drop(&why);
    return !good ? 0 : *length < room ? (size_t)*length : room;
}

static bool member_map(const struct root *root, const char *name, enum links links,
                       const struct input_check *check, struct slice *out, struct text *why)
{
    (void)links;
    return archive_map(root->archive, name, check, out, why);
}

/* Skips members below hidden folders, as the walk of a folder does. */
static bool members_walk(const struct root *root, const struct tree_walk *walk, struct text *why)
{
    const struct tar_set *archive = root->archive;
    bool good = true;

    for (size_t i = 0; good && i < archive->n; i++) {
        const char *name = archive->members[i].name, *slash = strrchr(name, '/');
        const char *entry = slash ? slash + 1 : name;
        const struct walked_file file = { .name = name, .entry = entry, .hidden = *entry == '.' };
        const char *hidden = *name == '.' ? name : strstr(name, "/.");

        if (!hidden || !strchr(hidden + 1, '/'))
            good = walk->visit(walk->context, &file, why);
    }
    return good;
}

/* --- choice of the implementation --- */

struct root root_at(const char *path)
{
    static const struct root_calls folder = { folder_status, folder_hash,       folder_expect,
                                              folder_read,   folder_read_small, folder_begin,
                                              folder_map,    folder_walk };
    static const struct root_calls members = { member_status, member_hash,       member_expect,
                                               member_read,   member_read_small, member_begin,
                                               member_map,    members_walk };
    const struct tar_set *archive = archive_at(path);

    return (struct root){ archive ? &members : &folder, path, archive };
}
