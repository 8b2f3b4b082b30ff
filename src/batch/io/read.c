/* read: reading and mapping whole files of what a run reads. */
#include "batch/dataset/archive_open.h"

#include "base/eintr.h"

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

/* How many files are to be fetched ahead from now on: reading one has waited for the disk. */
static unsigned expected;

void input_expect(const char *folder, const char *name, enum links links)
{
    const struct tar_set *archive = archive_at(folder);
    struct text why = { 0 };
    struct stat status;
    int fd = archive || !expected ? -1 : input_open_regular(folder, name, links, &status, &why);

    if (archive)
        archive_expect(archive, name);
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

bool input_read(const char *folder, const char *name, enum links links,
                const struct input_check *check, struct text *out, struct stat *status,
                struct text *why)
{
    const struct tar_set *archive = archive_at(folder);
    int fd = archive ? -1 : input_open_regular(folder, name, links, status, why);
    bool good = false;

    if (archive)
        return archive_read(archive, name, check, UINT64_MAX, out, status, why);
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

bool input_read_small(const char *folder, const char *name, enum links links, uint64_t most,
                      struct text *out, struct text *why)
{
    const struct tar_set *archive = archive_at(folder);
    struct stat status;
    int fd = archive ? -1 : input_open_regular(folder, name, links, &status, why);
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
    int fd = archive ? -1 : input_open_regular(folder, name, links, &status, &why);
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
    int fd = archive ? -1 : input_open_regular(folder, name, links, &status, why);
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

bool input_read_named(const char *path, uint64_t most, struct text *out, struct text *why)
{
    struct stat status;
    int fd = input_open_named(path, &status, why);
    bool good = fd >= 0 && read_to_end(fd, most, out, why);

    if (fd >= 0)
        close(fd);
    return good;
}
