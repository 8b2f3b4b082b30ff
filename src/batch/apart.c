/* apart: is a path inside of a folder, however the two are spelled? */
#include "apart.h"

#include "../base/files.h"

#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FOLDER = O_PATH | O_DIRECTORY | O_CLOEXEC };

/* The path, or the longest of its beginnings that is a folder. */
static int open_deepest(const char *path)
{
    struct text part = { 0 };
    char real[PATH_MAX];
    int folder;

    text_adds(&part, realpath(path, real) ? real : path);
    while ((folder = open(part.length ? part.at : ".", FOLDER)) < 0 && part.length &&
           strcmp(part.at, "/") != 0) {
        while (part.length > 1 && part.at[part.length - 1] == '/')
            text_cut(&part, part.length - 1);
        while (part.length && part.at[part.length - 1] != '/')
            text_cut(&part, part.length - 1);
    }
    text_drop(&part);
    return folder;
}

static bool is_same(const struct stat *a, const struct stat *b)
{
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

bool path_is_within(const char *inner, const char *outer)
{
    struct stat wanted, here, above;
    int at, next;
    bool within = false, top = false;

    if (!*inner || stat(outer, &wanted) != 0)
        return false;
    /* One file may be both, as it is when `inner` is in no folder of its own. */
    within = stat(inner, &here) == 0 && is_same(&here, &wanted);
    at = open_deepest(inner);
    while (!within && !top && at >= 0 && fstat(at, &here) == 0) {
        within = is_same(&here, &wanted);
        next = openat(at, "..", FOLDER);
        top = next < 0 || (fstat(next, &above) == 0 && is_same(&here, &above));
        close(at);
        at = next;
    }
    if (at >= 0)
        close(at);
    return within;
}
