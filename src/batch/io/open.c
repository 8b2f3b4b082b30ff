/* open: opening and reading what a run reads. */
#include "batch/dataset/archive_open.h"

#include "base/hash.h"
#include "base/eintr.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#ifdef SYS_openat2
#include <linux/openat2.h>
#endif

static bool say_errno(struct text *why)
{
    text_adds(why, errno_text());
    return false;
}

static const char refused_link[] = "it is, or is behind, a symbolic link, and --no-follow is given";

/* --- opening below folders --- */

int input_folder(const char *folder)
{
    enum { MOST_FOLDERS = 300 };
    /* Of images, masks, labels and what lies beside them. */
    static struct {
        struct text path;
        int fd;
    } open_folders[MOST_FOLDERS];
    size_t i = 0;
    int fd;

    while (i < COUNTOF(open_folders) && open_folders[i].path.length) {
        if (strcmp(text_string(&open_folders[i].path), folder) == 0)
            return open_folders[i].fd;
        i++;
    }
    fd = RETRY(open(*folder ? folder : ".", O_PATH | O_DIRECTORY | O_CLOEXEC));
    if (fd >= 0 && i < COUNTOF(open_folders)) {
        text_adds(&open_folders[i].path, folder);
        open_folders[i].fd = fd;
    }
    return fd;
}

/* Opening a link as a folder fails as a file would: is it that? */
static void blame_link(int at, const char *part)
{
    struct stat status;
    int saved = errno;

    if (saved == ENOTDIR && fstatat(at, part, &status, AT_SYMLINK_NOFOLLOW) == 0 &&
        S_ISLNK(status.st_mode))
        saved = ELOOP;
    errno = saved;
}

static int open_part_by_part(int folder, const char *name, int flags)
{
    int at = folder;

    for (;;) {
        size_t length = strcspn(name, "/");
        bool last = !name[length];
        char part[NAME_MAX + 1];
        int next;

        if (length > NAME_MAX) {
            errno = ENAMETOOLONG;
            return -1;
        }
        memcpy(part, name, length);
        part[length] = '\0';
        next =
            RETRY(openat(at, part, O_NOFOLLOW | (last ? flags : O_PATH | O_DIRECTORY | O_CLOEXEC)));
        if (next < 0)
            blame_link(at, part);
        if (at != folder) {
            int saved = errno;

            close(at);
            errno = saved;
        }
        if (next < 0 || last)
            return next;
        at = next;
        name += length + 1;
    }
}

static int open_without_links(int folder, const char *name, int flags)
{
#ifdef SYS_openat2
    struct open_how how = { .flags = (unsigned)flags,
                            .resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS };
    int fd = RETRY(syscall(SYS_openat2, folder, name, &how, sizeof how));

    /* Older kernels do not have it, and older containers do not allow it. */
    if (fd >= 0 || (errno != ENOSYS && errno != EPERM))
        return fd;
#endif
    return open_part_by_part(folder, name, flags);
}

int input_open(int folder, const char *name, enum links links, int flags)
{
    flags |= O_CLOEXEC;
    return links == LINKS_FOLLOW ? RETRY(openat(folder, name, flags))
                                 : open_without_links(folder, name, flags);
}

/* Nobody waits for whoever might be at the other end of a pipe. */
enum { READING = O_RDONLY | O_NONBLOCK };

/* A regular file, or -1 with the reason. */
static int open_regular(const char *folder, const char *name, enum links links, int flags,
                        struct stat *status, struct text *why)
{
    int root = input_folder(folder);
    int fd = root < 0 ? -1 : input_open(root, name, links, flags);

    if (fd < 0 && errno == ELOOP && links == LINKS_REFUSE)
        text_adds(why, refused_link);
    else if (fd < 0 || fstat(fd, status) != 0)
        say_errno(why);
    else if (S_ISREG(status->st_mode))
        return fd;
    else if (S_ISLNK(status->st_mode))
        text_adds(why, refused_link);
    else
        text_adds(why, S_ISDIR(status->st_mode) ? "it is a folder" : "it is not a regular file");
    if (fd >= 0)
        close(fd);
    return -1;
}

int input_open_regular(const char *folder, const char *name, enum links links, struct stat *status,
                       struct text *why)
{
    return open_regular(folder, name, links, READING, status, why);
}

static int64_t nanoseconds(struct timespec t)
{
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

struct file_key input_key(const struct stat *status)
{
    return (struct file_key){ .size = (uint64_t)status->st_size,
                              .mtime = nanoseconds(status->st_mtim),
                              .ctime = nanoseconds(status->st_ctim),
                              .inode = status->st_ino };
}

/* The status of a regular file; one that needs no look at links is not opened. False with the
 * reason. */
static bool status_of(const char *folder, const char *name, enum links links, struct stat *status,
                      struct text *why)
{
    const struct tar_set *archive = archive_at(folder);
    int fd = links == LINKS_FOLLOW && !archive ? input_folder(folder) : -1;

    if (archive)
        return archive_status(archive, name, status, why);
    if (fd >= 0 && RETRY(fstatat(fd, name, status, 0)) == 0 && S_ISREG(status->st_mode))
        return true;
    fd = open_regular(folder, name, links, O_PATH, status, why);
    if (fd >= 0)
        close(fd);
    return fd >= 0;
}

bool input_exists(const char *folder, const char *name, enum links links, struct text *why)
{
    struct stat status;

    return status_of(folder, name, links, &status, why);
}

struct file_key input_key_of(const char *folder, const char *name, enum links links)
{
    struct text why = { 0 };
    struct stat status;
    bool there = status_of(folder, name, links, &status, &why);

    text_drop(&why);
    return there ? input_key(&status) : (struct file_key){ 0 };
}

bool input_hash(const char *folder, const char *name, enum links links, uint64_t *hash)
{
    const struct tar_set *archive = archive_at(folder);
    struct text bytes = { 0 }, why = { 0 };
    struct stat status;
    bool good;
    int fd;

    if (archive) {
        good = archive_read(archive, name, NULL, UINT64_MAX, &bytes, &status, &why);
        if (good)
            *hash = hash_quick(text_string(&bytes), bytes.length);
    } else {
        fd = input_open_regular(folder, name, links, &status, &why);
        good = fd >= 0 && hash_quick_file(fd, (size_t)status.st_size, hash);
        if (fd >= 0)
            close(fd);
    }
    text_drop(&bytes);
    text_drop(&why);
    return good;
}

/* --- what the user names --- */

/* A device may have no end. */
static bool is_device(int fd, const struct stat *status)
{
    return S_ISBLK(status->st_mode) ||
           (S_ISCHR(status->st_mode) && !isatty(fd) && status->st_rdev != makedev(1, 3));
}

int input_open_named(const char *path, struct stat *status, struct text *why)
{
    int fd = strcmp(path, "-") == 0 ? dup(STDIN_FILENO) : RETRY(open(path, O_RDONLY | O_CLOEXEC));

    if (fd < 0 || fstat(fd, status) != 0)
        say_errno(why);
    else if (S_ISDIR(status->st_mode))
        text_adds(why, "it is a folder");
    else if (is_device(fd, status))
        text_adds(why, "it is a device");
    else
        return fd;
    if (fd >= 0)
        close(fd);
    return -1;
}
