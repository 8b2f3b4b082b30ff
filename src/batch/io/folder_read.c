/* folder_read: reads and maps whole files below a folder. */
#include "batch/io/folder.h"
#include "batch/io/root.h"

#include "base/eintr.h"
#include "base/hash.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <unistd.h>

static bool say_errno(struct text *why)
{
    text_adds(why, errno_text());
    return false;
}

/* Number of files to prefetch from now on, since a read has waited for the disk. */
static unsigned expected;

void folder_expect(const struct root *root, const char *name, enum links links)
{
    struct text why = { 0 };
    struct stat status;
    int fd = expected ? input_open_regular(root->path, name, links, &status, &why) : -1;

    if (fd >= 0) {
        posix_fadvise(fd, 0, 0, POSIX_FADV_WILLNEED);
        close(fd);
    }
    text_drop(&why);
}

/* Reads a small file that is in the page cache in one call, one byte further than its size. Returns
 * false if the read would wait for the disk, or if the file has grown. */
static bool read_cached(int fd, const struct stat *status, struct text *out)
{
#ifdef RWF_NOWAIT
    enum { MAX_BYTES = 16 << 20 };
    struct iovec to = { .iov_len = (size_t)status->st_size + 1 };
    ssize_t got;

    if (status->st_size > MAX_BYTES)
        return false;
    text_clear(out);
    to.iov_base = text_room(out, to.iov_len);
    got = TEMP_FAILURE_RETRY(preadv2(fd, &to, 1, 0, RWF_NOWAIT));
    if (got == status->st_size) {
        text_grown(out, (char *)to.iov_base + got);
        return true;
    }
#endif
    return false;
}

static bool try_read(int fd, bool first, const struct stat *status, struct text *out,
                     struct text *why)
{
    enum { EXPECTED = 256 };

    if (first && read_cached(fd, status, out)) {
        expected -= expected > 0;
        return true;
    }
    expected = EXPECTED;
    if (!first && lseek(fd, 0, SEEK_SET) != 0)
        return say_errno(why);
    return input_read_all(fd, out, why);
}

/* Reads a consistent state of the file: repeats the read if the file changed meanwhile. */
static bool read_whole(int fd, struct stat *status, struct text *out, struct text *why)
{
    enum { TRIES = 4 };

    for (int i = 0; i < TRIES; i++) {
        struct stat after;

        if (!try_read(fd, i == 0, status, out, why))
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

/* Applies allows_large to the mapped file, which reads only the pages that the check needs. */
static bool is_mapped_file_allowed(const struct input_check *check, int fd, size_t length,
                                   struct text *why)
{
    void *at = mmap(NULL, length, PROT_READ, MAP_PRIVATE, fd, 0);
    bool good;

    if (at == MAP_FAILED)
        return say_errno(why);
    good = check->allows_large(check->context, (struct slice){ at, length }, why);
    munmap(at, length);
    return good;
}

/* Number of bytes that `allows` checks; size up to which a file is read before the check. */
enum { HEAD = 16, SMALL = 1 << 20 };

/* Checks a file before all of it is read: a file may be sparse, and as large as the disk. */
static bool is_allowed(const struct input_check *check, int fd, uint64_t length, struct text *why)
{
    char head[HEAD];
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
    return length <= check->large || is_mapped_file_allowed(check, fd, (size_t)length, why);
}

static bool is_read_file_allowed(const struct input_check *check, const struct text *file,
                                 struct text *why)
{
    size_t head = file->length < HEAD ? file->length : HEAD;

    return check->allows(check->context, (struct slice){ file->at, head }, file->length, why);
}

bool folder_read(const struct root *root, const char *name, enum links links,
                 const struct input_check *check, struct text *out, struct stat *status,
                 struct text *why)
{
    int fd = input_open_regular(root->path, name, links, status, why);
    bool good = false;

    if (fd < 0)
        return false;
    if (status->st_size == 0)
        text_adds(why, "the file is empty");
    else if (check && status->st_size <= SMALL && check->large >= SMALL)
        good = read_whole(fd, status, out, why) && is_read_file_allowed(check, out, why);
    else
        good = is_allowed(check, fd, (uint64_t)status->st_size, why) &&
               read_whole(fd, status, out, why);
    close(fd);
    return good;
}

bool folder_read_small(const struct root *root, const char *name, enum links links, uint64_t max,
                       struct text *out, struct text *why)
{
    struct stat status;
    int fd = input_open_regular(root->path, name, links, &status, why);
    bool good = fd >= 0 && input_read_up_to(fd, max, out, why);

    if (fd >= 0)
        close(fd);
    return good;
}

size_t folder_begin(const struct root *root, const char *name, enum links links, void *to,
                    size_t room, uint64_t *length)
{
    struct text why = { 0 };
    struct stat status;
    int fd = input_open_regular(root->path, name, links, &status, &why);
    ssize_t got = 0;

    if (fd >= 0) {
        *length = (uint64_t)status.st_size;
        got = RETRY(pread(fd, to, room, 0));
        close(fd);
    }
    text_drop(&why);
    return got > 0 ? (size_t)got : 0;
}

bool folder_map(const struct root *root, const char *name, enum links links,
                const struct input_check *check, struct slice *out, struct text *why)
{
    struct stat status;
    int fd = input_open_regular(root->path, name, links, &status, why);
    size_t length = fd < 0 ? 0 : (size_t)status.st_size;
    void *at = MAP_FAILED;

    if (fd < 0)
        return false;
    if (!length)
        text_adds(why, "the file is empty");
    else if (is_allowed(check, fd, length, why)) {
        at = mmap(NULL, length, PROT_READ, MAP_PRIVATE, fd, 0);
        if (at == MAP_FAILED)
            say_errno(why);
    }
    close(fd);
    *out = (struct slice){ at, length };
    return at != MAP_FAILED;
}

bool folder_hash(const struct root *root, const char *name, enum links links, uint64_t *hash)
{
    struct text why = { 0 };
    struct stat status;
    int fd = input_open_regular(root->path, name, links, &status, &why);
    bool good = fd >= 0 && hash_quick_file(fd, (size_t)status.st_size, hash);

    if (fd >= 0)
        close(fd);
    text_drop(&why);
    return good;
}
