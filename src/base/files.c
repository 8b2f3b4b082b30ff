/* files: checks names, and writes output files completely or not at all. */
#include "base/files.h"

#include "base/environment.h"
#include "base/eintr.h"

#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LONGEST_NAME = 4095, LONGEST_PART = 255 };

/* --- names --- */

static const char *fault_of_part(const char *part, size_t length)
{
    if (length == 0)
        return "has an empty part";
    if (length > LONGEST_PART)
        return "has a part of more than 255 bytes";
    if ((length == 1 && part[0] == '.') || (length == 2 && part[0] == '.' && part[1] == '.'))
        return "has a part \".\" or \"..\"";
    return NULL;
}

bool name_is_possible(const char *name, const char **why)
{
    const char *part = name;

    *why = NULL;
    if (!*name)
        *why = "is empty";
    else if (*name == '/')
        *why = "is an absolute path";
    else if (strlen(name) > LONGEST_NAME)
        *why = "is longer than 4095 bytes";
    for (const char *c = name; *c && !*why; c++)
        if ((unsigned char)*c < 0x20 || *c == 0x7f)
            *why = "has a control character";
    while (!*why) {
        size_t length = strcspn(part, "/");

        *why = fault_of_part(part, length);
        if (!part[length])
            break;
        part += length + 1;
    }
    return !*why;
}

bool name_is_safe(const char *name, const char **why)
{
    *why = NULL;
    if (strchr(name, '\\') && *name != '/')
        *why = "has a backslash";
    else if (*name && *name != '/' && (strstr(name, "://") || name[1] == ':'))
        *why = "is a URL or has a drive letter";
    return !*why && name_is_possible(name, why);
}

void path_join(struct text *out, const char *folder, const char *name)
{
    size_t length = strlen(folder);

    text_clear(out);
    text_adds(out, folder);
    if (length && folder[length - 1] != '/')
        text_addc(out, '/');
    text_adds(out, name);
}

const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash ? slash + 1 : path;
}

bool name_ends_with(const char *name, const char *ending)
{
    size_t length = strlen(name), own = strlen(ending);

    return length > own && strcmp(name + length - own, ending) == 0;
}

bool path_is_folder(const char *path)
{
    struct stat status;

    return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

bool path_matches(const char *pattern, const char *name)
{
    const char *slash = strchr(pattern, '/') ? NULL : strrchr(name, '/');

    return fnmatch(pattern, name, 0) == 0 || (slash && fnmatch(pattern, slash + 1, 0) == 0);
}

/* --- folders --- */

bool path_leads_back(const char *path)
{
    struct text part = { 0 };
    struct stat status;
    bool missing = false, back = false;

    for (const char *c = path; *c && !back; c++) {
        size_t length = strcspn(c, "/");

        back = missing && length == 2 && c[0] == '.' && c[1] == '.';
        text_add(&part, c, length);
        missing = missing || (part.length && lstat(text_string(&part), &status) != 0);
        text_addc(&part, '/');
        c += length;
        if (!*c)
            break;
    }
    text_drop(&part);
    return back;
}

bool folder_make_below(const char *path, size_t *kept)
{
    struct text part = { 0 };
    struct stat status;
    bool good = true;

    *kept = strlen(path);
    if (path_leads_back(path)) {
        errno = ENOENT;
        return false;
    }
    for (const char *c = path; good; c++) {
        if ((*c == '/' || !*c) && part.length) {
            if (RETRY(mkdir(text_string(&part), 0777)) == 0) {
                size_t slash = part.length;

                while (slash && part.at[slash - 1] != '/')
                    slash--;
                *kept = slash < *kept ? slash : *kept;
            } else {
                good = errno == EEXIST;
            }
        }
        if (!*c)
            break;
        text_addc(&part, *c);
    }
    text_drop(&part);
    if (!good || stat(path, &status) != 0)
        return false;
    errno = ENOTDIR;
    return S_ISDIR(status.st_mode);
}

bool folder_make(const char *path)
{
    size_t kept;

    return folder_make_below(path, &kept);
}

/* --- writing --- */

bool file_write_all(int fd, const void *bytes, size_t length)
{
    const char *at = bytes;

    while (length) {
        ssize_t done = TEMP_FAILURE_RETRY(write(fd, at, length));

        if (done <= 0) {
            errno = done ? errno : EIO;
            return false;
        }
        at += done;
        length -= (size_t)done;
    }
    return true;
}

bool file_write_all_at(int fd, const void *bytes, size_t length, uint64_t at)
{
    const char *from = bytes;

    while (length) {
        ssize_t done = TEMP_FAILURE_RETRY(pwrite(fd, from, length, (off_t)at));

        if (done <= 0) {
            errno = done ? errno : EIO;
            return false;
        }
        from += done;
        at += (uint64_t)done;
        length -= (size_t)done;
    }
    return true;
}

bool file_read_all(int fd, void *to, size_t length, uint64_t at)
{
    while (length) {
        ssize_t done = TEMP_FAILURE_RETRY(pread(fd, to, length, (off_t)at));

        if (done == 0)
            errno = EIO;
        if (done <= 0)
            return false;
        to = (char *)to + done;
        at += (uint64_t)done;
        length -= (size_t)done;
    }
    return true;
}

int file_create_at(int folder, const char *name, int access)
{
    return RETRY(openat(folder, name, access | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666));
}

bool file_write_at(int folder, const char *name, const void *bytes, size_t length)
{
    int fd = file_create_at(folder, name, O_WRONLY), saved;
    bool good = fd >= 0 && file_write_all(fd, bytes, length);

    saved = errno;
    if (fd >= 0 && close(fd) != 0 && errno != EINTR && good) {
        saved = errno;
        good = false;
    }
    if (!good && fd >= 0)
        (void)RETRY(unlinkat(folder, name, 0));
    errno = saved;
    return good;
}

/* Some file systems cannot do it in one step. Only other programs could make files there in
 * between: the names of a run's outputs are all different. */
bool rename_new(int from_folder, const char *from, int to_folder, const char *to)
{
    struct stat status;

    if (RETRY(renameat2(from_folder, from, to_folder, to, RENAME_NOREPLACE)) == 0)
        return true;
    if (errno != EINVAL && errno != ENOSYS)
        return false;
    if (fstatat(to_folder, to, &status, AT_SYMLINK_NOFOLLOW) == 0) {
        errno = EEXIST;
        return false;
    }
    return errno == ENOENT && RETRY(renameat(from_folder, from, to_folder, to)) == 0;
}

bool file_is_same(const char *a, const char *b)
{
    struct stat x, y;

    return stat(a, &x) == 0 && stat(b, &y) == 0 && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

bool file_is_stream(const char *path)
{
    struct stat status, link, out;

    if (stat(path, &status) != 0 || S_ISDIR(status.st_mode))
        return false;
    return !S_ISREG(status.st_mode) ||
           (lstat(path, &link) == 0 && S_ISLNK(link.st_mode) && fstat(STDOUT_FILENO, &out) == 0 &&
            out.st_dev == status.st_dev && out.st_ino == status.st_ino);
}

const char *path_last_folder(const char *path, const char *name)
{
    const char *last = NULL;
    size_t length = strlen(name);

    for (const char *at = path; at; at = strchr(at, '/')) {
        at += *at == '/';
        if (strncmp(at, name, length) == 0 && at[length] == '/')
            last = at;
    }
    return last;
}

/* Where a file system has no files without names, it is taken at once. */
static int open_and_unlink(const char *folder)
{
    char *path;
    int fd = -1;

    if (asprintf(&path, "%s/lockstep-XXXXXX", folder) < 0)
        return -1;
    fd = mkostemp(path, O_CLOEXEC);
    if (fd >= 0)
        (void)unlink(path);
    free(path);
    return fd;
}

int file_open_unnamed(const char *name)
{
    const char *given = environment_get("TMPDIR"), *folder = given && *given ? given : "/tmp";
    int fd = RETRY(open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600));

    if (fd < 0)
        fd = open_and_unlink(folder);
    return fd >= 0 ? fd : memfd_create(name, MFD_CLOEXEC);
}
