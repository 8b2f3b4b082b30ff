/* walk: the files of a folder and of those below it. */
#pragma once

#include "batch/io/open.h"

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
    /* What cannot be listed might have been anything: a fault; or it is passed over. */
    bool lenient;
    /* False ends the walk; then `why` says something. */
    bool (*visit)(void *context, const struct walked *, struct text *why);
    void *context;
};

/* Visit every file, in no order. Folders whose names begin with a dot are left out. Links to
 * folders are followed unless they are refused, but not into a folder that they are in: such a link
 * is said on stderr. False with a message in `why`. */
bool walk_files(const struct tree_walk *, struct text *why);
