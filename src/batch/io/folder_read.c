/* folder_read: reading and mapping whole files below a folder. */
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

/* How many files are to be fetched ahead from now on: reading one has waited for the disk. */
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

/* A small file that is in memory, by one call and one look behind its end. False when reading it
 * would wait, or when it is longer than it was. */
static bool read_at_once(int fd, const struct stat *status, struct text *out)
{
#ifdef RWF_NOWAIT
    enum { MOST = 16 << 20 };
    struct iovec to = { .iov_len = (size_t)status->st_size + 1 };
    ssize_t got;

    if (status->st_size > MOST)
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

static bool read_once(int fd, bool first, const struct stat *status, struct text *out,
                      struct text *why)
{
    enum { EXPECTED = 256 };

    if (first && read_at_once(fd, status, out)) {
        expected -= expected > 0;
        return true;
    }
    expected = EXPECTED;
    if (!first && lseek(fd, 0, SEEK_SET) != 0)
        return say_errno(why);
    return input_read_all(fd, out, why);
}

/* The file as it was at one time: read again if it changed meanwhile. */
static bool read_whole(int fd, struct stat *status, struct text *out, struct text *why)
{
    enum { TRIES = 4 };

    for (int i = 0; i < TRIES; i++) {
        struct stat after;

        if (!read_once(fd, i == 0, status, out, why))
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

/* Bytes by which a file is judged; and of how small a one all are read before that. */
enum { HEAD = 16, SMALL = 1 << 20 };

/* Before more is read than can be of use: files may be sparse, and as long as a disk. */
static bool passes(const struct input_check *check, int fd, uint64_t length, struct text *why)
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
    return length <= check->large || passes_mapped(check, fd, (size_t)length, why);
}

static bool passes_read(const struct input_check *check, const struct text *file, struct text *why)
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
        good = read_whole(fd, status, out, why) && passes_read(check, out, why);
    else
        good =
            passes(check, fd, (uint64_t)status->st_size, why) && read_whole(fd, status, out, why);
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
    else if (passes(check, fd, length, why)) {
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
