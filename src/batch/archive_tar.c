/* archive_tar: where the members of a tar stand, and unpacking other archives, by libarchive. */
#include "archive.h"

#include "../base/dynlib.h"
#include "../base/files.h"

#include <archive.h>
#include <archive_entry.h>
#include <errno.h>
#include <locale.h>
#include <string.h>
#include <unistd.h>

#define FUNCTIONS(X)                                                                               \
    X(archive_read_new)                                                                            \
    X(archive_read_free)                                                                           \
    X(archive_read_support_format_tar)                                                             \
    X(archive_read_support_format_zip_seekable)                                                    \
    X(archive_read_support_filter_gzip)                                                            \
    X(archive_read_support_filter_bzip2)                                                           \
    X(archive_read_support_filter_xz)                                                              \
    X(archive_read_support_filter_zstd)                                                            \
    X(archive_read_data)                                                                           \
    X(archive_entry_is_encrypted)                                                                  \
    X(archive_read_open_fd)                                                                        \
    X(archive_read_next_header)                                                                    \
    X(archive_filter_bytes)                                                                        \
    X(archive_error_string)                                                                        \
    X(archive_entry_pathname)                                                                      \
    X(archive_entry_pathname_utf8)                                                                 \
    X(archive_entry_hardlink)                                                                      \
    X(archive_entry_filetype)                                                                      \
    X(archive_entry_size)                                                                          \
    X(archive_entry_sparse_count)

#define NAME(function) #function,
static const char *const names[] = { FUNCTIONS(NAME) };
#define POINTER(function) __typeof__(&(function)) function;
static struct {
    FUNCTIONS(POINTER)
} lib;
static const struct dynlib library = { "libarchive.so.13", "libarchive13", names, COUNTOF(names) };

enum { BLOCK = 512, STEP = 1 << 16 };

/* Names in pax headers are UTF-8, and libarchive turns them into the locale's. This is a process of
 * its own. */
static bool start(struct archive **a, struct text *why)
{
    if (!dynlib_open(&library, &lib, why))
        return false;
    setlocale(LC_CTYPE, "C.UTF-8");
    *a = lib.archive_read_new();
    if (!*a)
        memory_gone(0);
    return true;
}

static enum archive_event kind_of(struct archive_entry *e)
{
    unsigned type = lib.archive_entry_filetype(e);

    if (lib.archive_entry_hardlink(e) || type == AE_IFLNK)
        return EVENT_LINK;
    if (type != AE_IFREG)
        return EVENT_SPECIAL;
    return lib.archive_entry_sparse_count(e) ? EVENT_SPARSE : EVENT_MEMBER;
}

static const char *name_of(struct archive_entry *e)
{
    const char *name = lib.archive_entry_pathname_utf8(e);

    if (!name)
        name = lib.archive_entry_pathname(e);
    return name ? name : "";
}

/* Only zeros may stand behind its end: tar fills its last record up. */
static bool is_zero(int fd, uint64_t from, uint64_t to)
{
    static const char zeros[STEP];
    char bytes[STEP];

    while (from < to) {
        size_t part = to - from < STEP ? (size_t)(to - from) : STEP;

        if (!file_read_all(fd, bytes, part, from) || memcmp(bytes, zeros, part) != 0)
            return false;
        from += part;
    }
    return true;
}

static bool add_entry(struct archive *a, struct archive_entry *e, uint64_t length, uint64_t *next,
                      struct text *rows)
{
    struct archive_row row = { .at = (uint64_t)lib.archive_filter_bytes(a, 0) };
    int64_t size = lib.archive_entry_size(e);

    *next = row.at;
    if (lib.archive_entry_filetype(e) == AE_IFDIR && !lib.archive_entry_hardlink(e))
        return true;
    row.event = kind_of(e);
    row.size = row.event == EVENT_MEMBER && size > 0 ? (uint64_t)size : 0;
    if (row.at > length || row.size > length - row.at)
        row.event = EVENT_TRUNCATED;
    archive_add_row(rows, row, name_of(e));
    *next += (row.size + BLOCK - 1) / BLOCK * BLOCK;
    return row.event != EVENT_TRUNCATED;
}

/* An archive that ends without blocks of zeros was cut where a member ends, and nobody knows what
 * there was behind. */
static void add_end(struct archive *a, int fd, uint64_t length, uint64_t next, struct text *rows)
{
    uint64_t end = (uint64_t)lib.archive_filter_bytes(a, 0);
    struct archive_row row = { .event = EVENT_TRUNCATED };

    if (end > next && is_zero(fd, end, length))
        return;
    if (end > next)
        row.event = EVENT_TRAILING;
    archive_add_row(rows, row, "");
}

/* What libarchive says is wrong. */
static void add_fault(struct archive *a, struct text *rows)
{
    const char *reason = lib.archive_error_string(a);
    struct archive_row row = { .event = EVENT_DAMAGED };

    if (!reason)
        reason = "it cannot be read";
    if (strstr(reason, "runcated"))
        row.event = EVENT_TRUNCATED;
    archive_add_row(rows, row, reason);
}

bool archive_index_tar(int fd, uint64_t length, struct text *rows, struct text *why)
{
    struct archive *a;
    struct archive_entry *e;
    uint64_t next = 0;
    bool good = true;
    int got;

    if (!start(&a, why)) {
        text_adds(why, " [archive-library]");
        return false;
    }
    lib.archive_read_support_format_tar(a);
    got = lseek(fd, 0, SEEK_SET) == 0 ? lib.archive_read_open_fd(a, fd, STEP) : ARCHIVE_FATAL;
    while (good && got >= ARCHIVE_WARN && got != ARCHIVE_EOF) {
        got = lib.archive_read_next_header(a, &e);
        if (got >= ARCHIVE_WARN && got != ARCHIVE_EOF)
            good = add_entry(a, e, length, &next, rows);
    }
    if (good && got == ARCHIVE_EOF)
        add_end(a, fd, length, next, rows);
    else if (good)
        add_fault(a, rows);
    lib.archive_read_free(a);
    return true;
}

/* --- unpacking --- */

struct unpacking {
    struct archive *a;
    int to;
    uint64_t at, most; /* where the next member stands, and where none may */
    struct text *rows, *why;
};

/* False when nothing more can be read: then a row, or `why`, says it. */
static bool unpack_data(struct unpacking *u, struct archive_row *row)
{
    static char bytes[STEP];
    ssize_t got;

    row->at = u->at;
    while ((got = lib.archive_read_data(u->a, bytes, sizeof bytes)) > 0) {
        if ((uint64_t)got > u->most - u->at) {
            row->event = EVENT_LARGE;
            return true;
        }
        if (!file_write_all(u->to, bytes, (size_t)got)) {
            text_addf(u->why,
                      "there is no room to unpack it: %s; set TMPDIR to a folder that has, "
                      "or unpack it by yourself [archive-room]",
                      strerror(errno));
            return false;
        }
        u->at += (uint64_t)got;
    }
    row->size = u->at - row->at;
    if (got < 0)
        add_fault(u->a, u->rows);
    return got == 0;
}

static bool unpack_entry(struct unpacking *u, struct archive_entry *e)
{
    struct archive_row row = { .event = kind_of(e) };
    const char *name = name_of(e);

    if (lib.archive_entry_filetype(e) == AE_IFDIR && !lib.archive_entry_hardlink(e))
        return true;
    if (lib.archive_entry_is_encrypted(e))
        row.event = EVENT_ENCRYPTED;
    if (row.event == EVENT_MEMBER && !unpack_data(u, &row))
        return false;
    archive_add_row(u->rows, row, name);
    return row.event != EVENT_LARGE;
}

bool archive_unpack(int fd, int to, uint64_t most, struct text *rows, struct text *why)
{
    struct unpacking u = { .to = to, .most = most, .rows = rows, .why = why };
    struct archive_entry *e;
    bool good = true;
    int got;

    if (!start(&u.a, why)) {
        text_adds(why, " [archive-library]");
        return false;
    }
    lib.archive_read_support_format_tar(u.a);
    lib.archive_read_support_format_zip_seekable(u.a);
    lib.archive_read_support_filter_gzip(u.a);
    lib.archive_read_support_filter_bzip2(u.a);
    lib.archive_read_support_filter_xz(u.a);
    lib.archive_read_support_filter_zstd(u.a);
    got = lseek(fd, 0, SEEK_SET) == 0 ? lib.archive_read_open_fd(u.a, fd, STEP) : ARCHIVE_FATAL;
    while (good && got >= ARCHIVE_WARN && got != ARCHIVE_EOF) {
        got = lib.archive_read_next_header(u.a, &e);
        if (got >= ARCHIVE_WARN && got != ARCHIVE_EOF)
            good = unpack_entry(&u, e);
    }
    if (good && got != ARCHIVE_EOF)
        add_fault(u.a, rows);
    lib.archive_read_free(u.a);
    return !why->length;
}
