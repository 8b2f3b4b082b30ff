/* root: a folder of inputs, or archives in the place of one, with the calls that read it.
 *
 * The path of archives that are open (archive_set.h) names them; every other path names a folder.
 * Functions that take the path of a root (open.h, walk.h) call the implementation that it has:
 * folder.h or archive_read.h. Names below a root were checked as text before (names_allowed). */
#pragma once

#include "base/text.h"

#include <sys/stat.h>

struct tar_set;
struct root;

/* Symbolic links below a folder: the user's own, wherever they lead; or refused, each of them. What
 * the command line itself names is followed always. */
enum links { LINKS_FOLLOW, LINKS_REFUSE };

/* Decides by a file's first 16 bytes and its length whether it is read at all. A file of more than
 * `large` bytes is then mapped, and allows_large decides by the bytes that it looks at. */
struct input_check {
    bool (*allows)(const void *context, struct slice head, uint64_t length, struct text *why);
    const void *context;
    uint64_t large;
    bool (*allows_large)(const void *context, struct slice mapped, struct text *why);
};

/* A file that the walk has met, whatever it is: a link, a pipe, a name that leads nowhere. */
struct walked {
    const char *name;  /* relative to the folder, as long as the visit lasts */
    const char *entry; /* its last part */
    bool hidden;       /* it begins with a dot */
    bool linked;       /* it is a link */
    bool lost;         /* it is a link that leads nowhere */
};

struct tree_walk {
    const char *path;
    enum links links; /* of links to folders: those to files are visited */
    /* A folder that cannot be listed is passed over; otherwise it is a fault. */
    bool lenient;
    /* False ends the walk; then `why` says something. */
    bool (*visit)(void *context, const struct walked *, struct text *why);
    void *context;
};

/* The implementation of each call. A false result has its reason in `why`, without the name; all
 * are described in open.h and walk.h. Archives have no links: they ignore `links`. */
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

/* Returns the root that is at this path. The path must outlive it. */
struct root root_at(const char *path);
