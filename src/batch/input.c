/* input: opening and reading what a run reads. */
#include "archive.h"

#include "../base/retry.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/mman.h>
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

int input_open_regular(const char *folder, const char *name, enum links links, struct text *why)
{
    struct stat status;

    return open_regular(folder, name, links, READING, &status, why);
}

bool input_exists(const char *folder, const char *name, enum links links, struct text *why)
{
    const struct tar_set *archive = archive_at(folder);
    struct stat status;
    int fd;

    if (archive)
        return archive_status(archive, name, &status, why);
    fd = open_regular(folder, name, links, O_PATH, &status, why);

    if (fd >= 0)
        close(fd);
    return fd >= 0;
}

struct file_key input_key(const struct stat *status)
{
    return (struct file_key){ (uint64_t)status->st_size,
                              (int64_t)status->st_mtim.tv_sec * 1000000000 +
                                  status->st_mtim.tv_nsec };
}

struct file_key input_key_of(const char *folder, const char *name, enum links links)
{
    const struct tar_set *archive = archive_at(folder);
    struct text why = { 0 };
    struct stat status;
    bool there;

    if (archive) {
        there = archive_status(archive, name, &status, &why);
    } else {
        int fd = open_regular(folder, name, links, O_PATH, &status, &why);

        there = fd >= 0;
        if (there)
            close(fd);
    }
    text_drop(&why);
    return there ? input_key(&status) : (struct file_key){ 0 };
}

void input_expect(const char *folder, const char *name, enum links links)
{
    const struct tar_set *archive = archive_at(folder);
    struct text why = { 0 };
    struct stat status;
    int fd;

    if (archive) {
        archive_expect(archive, name);
        return;
    }
    fd = open_regular(folder, name, links, READING, &status, &why);
    if (fd >= 0) {
        posix_fadvise(fd, 0, 0, POSIX_FADV_WILLNEED);
        close(fd);
    }
    text_drop(&why);
}

/* --- reading --- */

static bool read_to_end(int fd, uint64_t most, struct text *out, struct text *why)
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
        if (out->length > most) {
            text_addf(why, "it has more than %llu bytes", (unsigned long long)most);
            return false;
        }
    }
    out->at[out->length] = '\0';
    return true;
}

bool input_read_all(int fd, struct text *out, struct text *why)
{
    return read_to_end(fd, UINT64_MAX, out, why);
}

bool input_is_same(const struct stat *a, const struct stat *b)
{
    return a->st_size == b->st_size && a->st_mtim.tv_sec == b->st_mtim.tv_sec &&
           a->st_mtim.tv_nsec == b->st_mtim.tv_nsec && a->st_ctim.tv_sec == b->st_ctim.tv_sec &&
           a->st_ctim.tv_nsec == b->st_ctim.tv_nsec;
}

/* The file as it was at one time: read again if it changed meanwhile. */
static bool read_whole(int fd, struct stat *status, struct text *out, struct text *why)
{
    enum { TRIES = 4 };

    for (int i = 0; i < TRIES; i++) {
        struct stat after;

        if (i && lseek(fd, 0, SEEK_SET) != 0)
            return say_errno(why);
        if (!input_read_all(fd, out, why))
            return false;
        if (fstat(fd, &after) != 0)
            return say_errno(why);
        if (input_is_same(status, &after))
            return true;
        *status = after;
    }
    text_adds(why, "the file changes while it is read");
    return false;
}

/* Of all bytes, which are read as far as they are looked at. */
static bool passes_mapped(const struct input_check *check, int fd, size_t length, struct text *why)
{
    void *at = mmap(NULL, length, PROT_READ, MAP_PRIVATE, fd, 0);
    bool good;

    if (at == MAP_FAILED)
        return say_errno(why);
    good = check->allows_large(check->context, (struct slice){ at, length }, why);
    munmap(at, length);
    return good;
}

/* Before more is read than can be of use: files may be sparse, and as long as a disk. */
static bool passes(const struct input_check *check, int fd, uint64_t length, struct text *why)
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
    if (!check->allows(check->context, (struct slice){ head, (size_t)got }, length, why))
        return false;
    return length <= check->large || passes_mapped(check, fd, (size_t)length, why);
}

bool input_read(const char *folder, const char *name, enum links links,
                const struct input_check *check, struct text *out, struct stat *status,
                struct text *why)
{
    const struct tar_set *archive = archive_at(folder);
    int fd = archive ? -1 : open_regular(folder, name, links, READING, status, why);
    bool good = false;

    if (archive)
        return archive_read(archive, name, check, UINT64_MAX, out, status, why);
    if (fd < 0)
        return false;
    if (status->st_size == 0)
        text_adds(why, "the file is empty");
    else
        good =
            passes(check, fd, (uint64_t)status->st_size, why) && read_whole(fd, status, out, why);
    close(fd);
    return good;
}

bool input_read_small(const char *folder, const char *name, enum links links, uint64_t most,
                      struct text *out, struct text *why)
{
    const struct tar_set *archive = archive_at(folder);
    struct stat status;
    int fd = archive ? -1 : open_regular(folder, name, links, READING, &status, why);
    bool good = archive ? archive_read(archive, name, NULL, most, out, &status, why)
                        : fd >= 0 && read_to_end(fd, most, out, why);

    if (fd >= 0)
        close(fd);
    return good;
}

size_t input_begin(const char *folder, const char *name, enum links links, void *to, size_t room,
                   uint64_t *length)
{
    const struct tar_set *archive = archive_at(folder);
    struct text why = { 0 };
    struct stat status;
    int fd = archive ? -1 : open_regular(folder, name, links, READING, &status, &why);
    ssize_t got = 0;

    if (archive) {
        if (archive_begin(archive, name, to, room, length, &why))
            got = (ssize_t)(*length < room ? *length : room);
    } else if (fd >= 0) {
        *length = (uint64_t)status.st_size;
        got = RETRY(pread(fd, to, room, 0));
        close(fd);
    }
    text_drop(&why);
    return got > 0 ? (size_t)got : 0;
}

bool input_map(const char *folder, const char *name, enum links links,
               const struct input_check *check, struct slice *out, struct text *why)
{
    const struct tar_set *archive = archive_at(folder);
    struct stat status;
    int fd = archive ? -1 : open_regular(folder, name, links, READING, &status, why);
    size_t length = fd < 0 ? 0 : (size_t)status.st_size;
    void *at = MAP_FAILED;

    if (archive)
        return archive_map(archive, name, check, out, why);
    if (fd < 0)
        return false;
    if (!length)
        text_adds(why, "the file is empty");
    else if (passes(check, fd, length, why)) {
        at = mmap(NULL, length, PROT_READ, MAP_PRIVATE, fd, 0);
        if (at == MAP_FAILED)
            say_errno(why);
    }
    close(fd);
    *out = (struct slice){ at, length };
    return at != MAP_FAILED;
}

void input_unmap(struct slice map)
{
    /* Members of archives begin within a page. */
    size_t off = (uintptr_t)map.at % (uintptr_t)sysconf(_SC_PAGESIZE);

    munmap((char *)(uintptr_t)map.at - off, map.length + off);
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

bool input_read_named(const char *path, uint64_t most, struct text *out, struct text *why)
{
    struct stat status;
    int fd = input_open_named(path, &status, why);
    bool good = fd >= 0 && read_to_end(fd, most, out, why);

    if (fd >= 0)
        close(fd);
    return good;
}
