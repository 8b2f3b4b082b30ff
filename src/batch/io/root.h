/* root: a folder of inputs, or an archive instead of a folder, with the functions that read it.
 *
 * The path of an open archive (archive_set.h) names the archive; every other path names a folder.
 * Functions that take the path of a root (open.h, walk.h) call its implementation: folder.h or
 * archive_read.h. Callers must check names below a root before (check_record_names). */
#pragma once

#include "base/text.h"

#include <sys/stat.h>

struct tar_set;
struct root;

/* Policy for symbolic links below a folder: follow all, wherever they lead, or refuse all. Links in
 * paths of the command line itself are always followed. */
enum links { LINKS_FOLLOW, LINKS_REFUSE };

/* Decides by a file's first 16 bytes and its length if it is read at all. A file of more than
 * `large` bytes is then mapped, and allows_large decides by its bytes. */
struct input_check {
    bool (*allows)(const void *context, struct slice head, uint64_t length, struct text *why);
    const void *context;
    uint64_t large;
    bool (*allows_large)(const void *context, struct slice mapped, struct text *why);
};

/* A file that the walk visits, of any type: for example a link, a pipe, or a dangling link. */
struct walked_file {
    const char *name;  /* path relative to the folder, valid during the visit */
    const char *entry; /* last part of the path */
    bool hidden;       /* `entry` begins with a dot */
    bool linked;       /* the file is a symbolic link */
    bool lost;         /* the file is a dangling link */
};

struct tree_walk {
    const char *path;
    enum links links; /* for links to folders; links to files are always visited */
    /* Skip folders that cannot be listed, instead of reporting a fault. */
    bool lenient;
    /* Returns false to end the walk, with the reason in `why`. */
    bool (*visit)(void *context, const struct walked_file *, struct text *why);
    void *context;
};

/* Implementation of the calls that open.h and walk.h describe. If a call returns false, `why` gets
 * the reason, without the name. Archives have no links and ignore `links`. */
struct root_calls {
    bool (*status)(const struct root *, const char *name, enum links links, struct stat *,
                   struct text *why);
    bool (*hash)(const struct root *, const char *name, enum links links, uint64_t *hash);
    void (*expect)(const struct root *, const char *name, enum links links);
    bool (*read)(const struct root *, const char *name, enum links links,
                 const struct input_check *, struct text *out, struct stat *, struct text *why);
    bool (*read_small)(const struct root *, const char *name, enum links links, uint64_t max,
                       struct text *out, struct text *why);
    size_t (*begin)(const struct root *, const char *name, enum links links, void *to, size_t room,
                    uint64_t *length);
    bool (*map)(const struct root *, const char *name, enum links links, const struct input_check *,
                struct slice *out, struct text *why);
    bool (*walk)(const struct root *, const struct tree_walk *, struct text *why);
};

struct root {
    const struct root_calls *calls;
    const char *path;
    const struct tar_set *archive; /* NULL for a folder */
};

/* Returns the root at this path. The path must outlive the root. */
struct root root_at(const char *path);
