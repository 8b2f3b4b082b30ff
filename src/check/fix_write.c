/* fix_write: a mended text in the place of the file, or beside it. */
#include "fix.h"

#include "../base/files.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_BACKUPS = 1000 };

static bool fail(struct text *why)
{
    text_adds(why, errno_text());
    return false;
}

/* Gives the file a second name that nothing has. Where the file system has no hard links, it is
 * renamed: it has its backup's name alone, until the new one is there. */
static bool back_up(const char *path, struct text *name, bool *renamed)
{
    for (int i = 1; i <= MOST_BACKUPS; i++) {
        text_clear(name);
        text_addf(name, i == 1 ? "%s.orig" : "%s.orig%d", path, i);
        if (link(path, text_string(name)) == 0)
            return true;
        if (errno == EEXIST)
            continue;
        *renamed = errno == EPERM || errno == EOPNOTSUPP || errno == ENOSYS || errno == EMLINK;
        if (!*renamed || rename_new(AT_FDCWD, path, AT_FDCWD, text_string(name)))
            return *renamed;
        if (errno != EEXIST)
            return false;
    }
    return false;
}

static bool replace(const char *path, struct slice bytes, struct text *backup, struct text *why)
{
    bool renamed = false;
    struct stat status;

    if (stat(path, &status) != 0)
        return fail(why);
    if (!S_ISREG(status.st_mode)) {
        text_adds(why, "it is not a regular file");
        return false;
    }
    if (!back_up(path, backup, &renamed))
        return fail(why);
    if (file_write(path, bytes.at, bytes.length))
        return chmod(path, status.st_mode & 07777) == 0 || fail(why);
    fail(why);
    if (renamed)
        rename_new(AT_FDCWD, text_string(backup), AT_FDCWD, path);
    else
        unlink(text_string(backup));
    return false;
}

bool fixes_write(const char *path, struct slice bytes, struct text *backup, struct text *why)
{
    char *real;
    bool good;

    if (!backup)
        return file_write(path, bytes.at, bytes.length) || fail(why);
    real = realpath(path, NULL);
    if (!real)
        return fail(why);
    good = replace(real, bytes, backup, why);
    free(real);
    return good;
}
