/* folder: opens files below a folder, and files that the command line names. */
#include "batch/io/folder.h"

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

static const char refused_link[] =
    "it is a symbolic link or is below one, and --no-follow is given";

/* --- opening below folders --- */

int input_folder(const char *folder)
{
    enum { MAX_FOLDERS = 300 };
    /* Folders of images, masks, labels and their related files. */
    static struct {
        struct text path;
        int fd;
    } open_folders[MAX_FOLDERS];
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

/* Sets errno to ELOOP if `part` is a link. The kernel reports ENOTDIR for a link as for a file. */
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

    /* Older kernels lack openat2, and older containers refuse it. */
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

/* O_NONBLOCK: do not wait for the writer of a pipe. */
enum { READING = O_RDONLY | O_NONBLOCK };

/* Opens a regular file. Returns -1 with the reason. */
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

/* Gets the status of a regular file, without opening it if links are followed. Returns false with
 * the reason. */
bool folder_status(const struct root *root, const char *name, enum links links, struct stat *status,
                   struct text *why)
{
    int fd = links == LINKS_FOLLOW ? input_folder(root->path) : -1;

    if (fd >= 0 && RETRY(fstatat(fd, name, status, 0)) == 0 && S_ISREG(status->st_mode))
        return true;
    fd = open_regular(root->path, name, links, O_PATH, status, why);
    if (fd >= 0)
        close(fd);
    return fd >= 0;
}

/* --- files that the user names --- */

/* True for devices other than terminals and /dev/null. A device may have no end. */
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

bool input_read_up_to(int fd, uint64_t max, struct text *out, struct text *why)
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
        if (out->length > max) {
            text_addf(why, "it has more than %llu bytes", (unsigned long long)max);
            return false;
        }
    }
    out->at[out->length] = '\0';
    return true;
}

bool input_read_all(int fd, struct text *out, struct text *why)
{
    return input_read_up_to(fd, UINT64_MAX, out, why);
}

bool input_is_same(const struct stat *a, const struct stat *b)
{
    return a->st_size == b->st_size && a->st_mtim.tv_sec == b->st_mtim.tv_sec &&
           a->st_mtim.tv_nsec == b->st_mtim.tv_nsec && a->st_ctim.tv_sec == b->st_ctim.tv_sec &&
           a->st_ctim.tv_nsec == b->st_ctim.tv_nsec;
}

bool input_read_named(const char *path, uint64_t max, struct text *out, struct text *why)
{
    struct stat status;
    int fd = input_open_named(path, &status, why);
    bool good = fd >= 0 && input_read_up_to(fd, max, out, why);

    if (fd >= 0)
        close(fd);
    return good;
}
