/* files: reading inputs safely, and writing outputs whole or not at all. */
#include "files.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifdef SYS_openat2
#include <linux/openat2.h>
#endif

enum { LONGEST_NAME = 4096, LONGEST_PART = 255 };

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

bool name_is_safe(const char *name, const char **why)
{
    const char *part = name;

    *why = NULL;
    if (!*name)
        *why = "is empty";
    else if (*name == '/')
        *why = "is an absolute path";
    else if (strlen(name) > LONGEST_NAME)
        *why = "is longer than 4096 bytes";
    else if (strchr(name, '\\'))
        *why = "has a backslash";
    else if (strstr(name, "://") || (name[0] && name[1] == ':'))
        *why = "is a URL or has a drive letter";
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

void path_join(struct text *out, const char *folder, const char *name)
{
    size_t length = strlen(folder);

    text_clear(out);
    text_adds(out, folder);
    if (length && folder[length - 1] != '/')
        text_addc(out, '/');
    text_adds(out, name);
}

/* --- reading --- */

static bool say_errno(struct text *why)
{
    text_adds(why, strerror(errno));
    return false;
}

static bool read_all(int fd, struct text *out, struct text *why)
{
    enum { STEP = 1 << 16 };

    text_clear(out);
    for (;;) {
        ssize_t got;

        if (out->room - out->length < STEP + 1) {
            out->room = 2 * out->room + 2 * STEP;
            out->at = memory_grow(out->at, out->room);
        }
        got = read(fd, out->at + out->length, out->room - out->length - 1);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return say_errno(why);
        if (got == 0)
            break;
        out->length += (size_t)got;
    }
    out->at[out->length] = '\0';
    return true;
}

/* The descriptor of a regular file; of anything else it is closed. */
static int only_regular(int fd, struct stat *status, struct text *why)
{
    if (fd < 0) {
        say_errno(why);
        return -1;
    }
    if (fstat(fd, status) != 0 || !S_ISREG(status->st_mode)) {
        text_adds(why, S_ISDIR(status->st_mode) ? "it is a folder" : "it is not a regular file");
        close(fd);
        return -1;
    }
    return fd;
}

/* Nobody waits for whoever might be at the other end of a pipe. */
enum { READING = O_RDONLY | O_CLOEXEC | O_NONBLOCK };

/* The kernel sees to it that no link leads out of the folder. -1 where it knows no such thing, for
 * links with a whole path, and for all that cannot be opened. */
static int open_beneath(const char *folder, const char *name)
{
#ifdef SYS_openat2
    struct open_how how = { .flags = READING, .resolve = RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS };
    int root = open(folder, O_PATH | O_DIRECTORY | O_CLOEXEC), fd;

    if (root < 0)
        return -1;
    fd = (int)syscall(SYS_openat2, root, name, &how, sizeof how);
    close(root);
    return fd;
#else
    (void)folder, (void)name;
    return -1;
#endif
}

/* The same with the links on the way resolved before it is opened. */
static int open_resolved(const char *folder, const char *name, struct stat *status,
                         struct text *why)
{
    struct text path = { 0 };
    char root[PATH_MAX], real[PATH_MAX];
    size_t length;
    int fd = -1;

    path_join(&path, folder, name);
    if (!realpath(folder, root) || !realpath(text_string(&path), real)) {
        say_errno(why);
    } else {
        length = strlen(root);
        if (strncmp(root, real, length) != 0 || (length > 1 && real[length] != '/'))
            text_adds(why, "a symbolic link leads out of the folder");
        else
            fd = only_regular(open(real, READING | O_NOFOLLOW), status, why);
    }
    text_drop(&path);
    return fd;
}

/* A file below a folder. */
static int open_below(const char *folder, const char *name, struct stat *status, struct text *why)
{
    int fd = open_beneath(folder, name);

    return fd < 0 ? open_resolved(folder, name, status, why) : only_regular(fd, status, why);
}

/* Before more is read than can be of use: files may be sparse, and as long as a disk. */
static bool passes(const struct file_check *check, int fd, uint64_t length, struct text *why)
{
    char head[16];
    ssize_t got;

    if (!check)
        return true;
    do
        got = pread(fd, head, sizeof head, 0);
    while (got < 0 && errno == EINTR);
    if (got < 0)
        return say_errno(why);
    return check->allows(check->context, (struct slice){ head, (size_t)got }, length, why);
}

bool file_read_below(const char *folder, const char *name, const struct file_check *check,
                     struct text *out, struct text *why)
{
    struct stat status;
    int fd = open_below(folder, name, &status, why);
    bool good = false;

    if (fd < 0)
        return false;
    if (status.st_size == 0)
        text_adds(why, "the file is empty");
    else
        good = passes(check, fd, (uint64_t)status.st_size, why) && read_all(fd, out, why);
    close(fd);
    return good;
}

void file_expect_below(const char *folder, const char *name)
{
    struct text why = { 0 };
    struct stat status;
    int fd = open_below(folder, name, &status, &why);

    if (fd >= 0) {
        posix_fadvise(fd, 0, 0, POSIX_FADV_WILLNEED);
        close(fd);
    }
    text_drop(&why);
}

/* Anything that the user names but a folder: pipes too, as shells make them for <(...). */
static int open_named(const char *path, struct stat *status, struct text *why)
{
    int fd = strcmp(path, "-") == 0 ? dup(STDIN_FILENO) : open(path, O_RDONLY | O_CLOEXEC);

    if (fd < 0 || fstat(fd, status) != 0) {
        say_errno(why);
    } else if (S_ISDIR(status->st_mode)) {
        text_adds(why, "it is a folder");
    } else {
        return fd;
    }
    if (fd >= 0)
        close(fd);
    return -1;
}

bool file_read(const char *path, struct text *out, struct text *why)
{
    struct stat status;
    int fd = open_named(path, &status, why);
    bool good = fd >= 0 && read_all(fd, out, why);

    if (fd >= 0)
        close(fd);
    return good;
}

bool file_map(const char *path, struct slice *out, bool *mapped, struct text *why)
{
    struct text whole = { 0 };
    struct stat status;
    int fd = open_named(path, &status, why);
    void *at = MAP_FAILED;
    bool good = true;

    if (fd < 0)
        return false;
    if (S_ISREG(status.st_mode) && status.st_size > 0)
        at = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
    *mapped = at != MAP_FAILED;
    if (*mapped) {
        *out = (struct slice){ at, (size_t)status.st_size };
    } else {
        good = read_all(fd, &whole, why);
        *out = (struct slice){ text_string(&whole), whole.length };
    }
    close(fd);
    return good;
}

void file_rest(struct slice mapped)
{
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), off = (uintptr_t)mapped.at % page;

    if (mapped.length)
        (void)madvise((char *)mapped.at - off, mapped.length + off, MADV_DONTNEED);
}

bool file_exists_below(const char *folder, const char *name)
{
    struct text path = { 0 };
    struct stat status;
    bool there;

    path_join(&path, folder, name);
    there = stat(text_string(&path), &status) == 0 && S_ISREG(status.st_mode);
    text_drop(&path);
    return there;
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
            if (mkdir(text_string(&part), 0777) == 0) {
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

static bool write_all(int fd, const char *at, size_t length)
{
    while (length) {
        ssize_t done = write(fd, at, length);

        if (done < 0 && errno == EINTR)
            continue;
        if (done < 0)
            return false;
        at += done;
        length -= (size_t)done;
    }
    return true;
}

int file_create_at(int folder, const char *name, int access)
{
    return openat(folder, name, access | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
}

bool file_write_at(int folder, const char *name, const void *bytes, size_t length)
{
    int fd = file_create_at(folder, name, O_WRONLY), saved;
    bool good = fd >= 0 && write_all(fd, bytes, length);

    if (fd >= 0 && close(fd) != 0)
        good = false;
    saved = errno;
    if (!good && fd >= 0)
        unlinkat(folder, name, 0);
    errno = saved;
    return good;
}

/* Some file systems cannot do it in one step. Nobody but other programs makes files there
 * meanwhile: the names of a run's outputs are all different. */
bool rename_new(int from_folder, const char *from, int to_folder, const char *to)
{
    struct stat status;

    if (renameat2(from_folder, from, to_folder, to, RENAME_NOREPLACE) == 0)
        return true;
    if (errno != EINVAL && errno != ENOSYS)
        return false;
    if (fstatat(to_folder, to, &status, AT_SYMLINK_NOFOLLOW) == 0) {
        errno = EEXIST;
        return false;
    }
    return errno == ENOENT && renameat(from_folder, from, to_folder, to) == 0;
}

/* A name that is taken is left alone: it may be of a process that was killed, or anybody's. */
static bool write_part(int folder, char part[32], const void *bytes, size_t length)
{
    enum { MOST_NAMES = 100 };
    bool good = false;

    for (int i = 0; i < MOST_NAMES && !good; i++) {
        snprintf(part, 32, "%ld-%d.part", (long)getpid(), i);
        good = file_write_at(folder, part, bytes, length);
        if (!good && errno != EEXIST)
            break;
    }
    return good;
}

bool file_write(const char *folder, const char *name, const void *bytes, size_t length)
{
    int at = open(*folder ? folder : ".", O_PATH | O_DIRECTORY | O_CLOEXEC), saved;
    char part[32];
    bool good = at >= 0 && write_part(at, part, bytes, length);

    if (good && renameat(at, part, at, name) != 0) {
        saved = errno;
        unlinkat(at, part, 0);
        errno = saved;
        good = false;
    }
    saved = errno;
    if (at >= 0)
        close(at);
    errno = saved;
    return good;
}
