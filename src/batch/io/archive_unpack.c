/* archive_unpack: decompresses tars, up to the end of the file, and compares checksums. */
#include "batch/io/archive_calls.h"
#include "batch/io/archive_index.h"

#include "base/dynlib.h"
#include "base/files.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#define ZLIB_FUNCTIONS(X)                                                                          \
    X(inflateInit2_)                                                                               \
    X(inflate)                                                                                     \
    X(inflateReset)                                                                                \
    X(inflateEnd)

#define NAME(function) #function,
static const char *const names[] = { ZLIB_FUNCTIONS(NAME) };
#define POINTER(function) __typeof__(&(function)) function;
static struct {
    ZLIB_FUNCTIONS(POINTER)
} zlib;
static const struct dynlib library = { "libz.so.1", "zlib1g", names, COUNTOF(names) };

struct stream {
    int fd, to;
    uint64_t at, max;         /* number of bytes in `to`, and its limit */
    enum archive_event fault; /* EVENT_MEMBER: no fault */
    struct text reason;       /* detail of EVENT_DAMAGED and EVENT_TRAILING */
    struct text *why;         /* reason why nothing can be unpacked at all */
};

static bool stop(struct stream *u, enum archive_event fault, const char *reason)
{
    u->fault = fault;
    text_adds(&u->reason, reason);
    return false;
}

static bool put(struct stream *u, const void *bytes, size_t n)
{
    u->fault = archive_write(u->to, &u->at, u->max, bytes, n, u->why);
    return u->fault == EVENT_MEMBER;
}

static bool stop_trailing(struct stream *u)
{
    return stop(u, EVENT_TRAILING, "its compressed data");
}

/* --- gzip, whose checksums libarchive does not compare --- */

/* Buffer for the file. */
struct gzip_input {
    z_stream stream;
    bool ended;
    unsigned char bytes[ARCHIVE_STEP];
};

static bool fill(struct stream *u, struct gzip_input *in)
{
    ssize_t got = 0;

    if (in->stream.avail_in || in->ended)
        return true;
    got = TEMP_FAILURE_RETRY(read(u->fd, in->bytes, sizeof in->bytes));
    if (got < 0)
        return stop(u, EVENT_DAMAGED, errno_text());
    in->ended = got == 0;
    in->stream.next_in = in->bytes;
    in->stream.avail_in = (unsigned)got;
    return true;
}

/* Unpacks a member up to its trailer, which inflate() compares. */
static bool inflate_member(struct stream *u, struct gzip_input *in)
{
    static unsigned char out[ARCHIVE_STEP];
    int code = Z_OK;

    while (code != Z_STREAM_END) {
        if (!fill(u, in))
            return false;
        in->stream.next_out = out;
        in->stream.avail_out = sizeof out;
        code = zlib.inflate(&in->stream, Z_NO_FLUSH);
        if (code == Z_MEM_ERROR)
            memory_gone(0);
        if (code != Z_OK && code != Z_STREAM_END && code != Z_BUF_ERROR)
            return stop(u, EVENT_DAMAGED,
                        in->stream.msg ? in->stream.msg : "its gzip data is damaged");
        if (!put(u, out, sizeof out - in->stream.avail_out))
            return false;
        if (code == Z_BUF_ERROR && in->ended)
            return stop(u, EVENT_TRUNCATED, "");
    }
    return true;
}

/* Skips zeros up to the end, such as padding of the last block of a tape. Returns false at any
 * other byte. */
static bool skip_zeros(struct stream *u, struct gzip_input *in, bool *ended)
{
    z_stream *s = &in->stream;

    while (fill(u, in) && s->avail_in)
        for (; s->avail_in; s->next_in++, s->avail_in--)
            if (*s->next_in)
                return stop_trailing(u);
    *ended = !s->avail_in;
    return u->fault == EVENT_MEMBER;
}

/* Unpacks a series of members (RFC 1952). */
static void unpack_gzip(struct stream *u)
{
    enum { WITH_GZIP_HEADER = 15 + 16, MAGIC = 0x1f };
    static struct gzip_input in;
    bool ended = false;

    if (!dynlib_open(&library, &zlib, u->why)) {
        text_adds(u->why, " [archive-library]");
        return;
    }
    if (zlib.inflateInit2_(&in.stream, WITH_GZIP_HEADER, ZLIB_VERSION, sizeof in.stream) != Z_OK)
        memory_gone(sizeof in.stream);
    while (!ended && inflate_member(u, &in) && fill(u, &in)) {
        ended = !in.stream.avail_in;
        if (!ended && *in.stream.next_in != MAGIC && !skip_zeros(u, &in, &ended))
            break;
        zlib.inflateReset(&in.stream);
    }
    zlib.inflateEnd(&in.stream);
}

/* --- bzip2, xz and zstd --- */

/* True if only zeros follow an offset. */
static bool ends_in_zeros(int fd, uint64_t from)
{
    char bytes[ARCHIVE_STEP];
    ssize_t got;

    while ((got = TEMP_FAILURE_RETRY(pread(fd, bytes, sizeof bytes, (off_t)from))) > 0) {
        for (ssize_t i = 0; i < got; i++)
            if (bytes[i])
                return false;
        from += (uint64_t)got;
    }
    return got == 0;
}

static void copy_data(struct stream *u, struct archive *a)
{
    static char bytes[ARCHIVE_STEP];
    ssize_t got;

    while ((got = archive_calls.archive_read_data(a, bytes, sizeof bytes)) > 0)
        if (!put(u, bytes, (size_t)got))
            return;
    if (got < 0) {
        const char *reason = archive_calls.archive_error_string(a);

        stop(u, reason && strstr(reason, "runcated") ? EVENT_TRUNCATED : EVENT_DAMAGED,
             reason ? reason : "it cannot be read");
    } else if (!ends_in_zeros(u->fd, (uint64_t)archive_calls.archive_filter_bytes(a, -1))) {
        stop_trailing(u);
    }
}

static void unpack_others(struct stream *u)
{
    struct archive *a = archive_start(u->why);
    struct archive_entry *e;

    if (!a)
        return;
    archive_calls.archive_read_support_format_raw(a);
    archive_calls.archive_read_support_filter_bzip2(a);
    archive_calls.archive_read_support_filter_xz(a);
    archive_calls.archive_read_support_filter_zstd(a);
    if (archive_open_start(a, u->fd) == ARCHIVE_OK &&
        archive_calls.archive_read_next_header(a, &e) == ARCHIVE_OK) {
        copy_data(u, a);
    } else {
        const char *reason = archive_calls.archive_error_string(a);

        stop(u, EVENT_DAMAGED, reason ? reason : "it cannot be read");
    }
    archive_calls.archive_read_free(a);
}

/* --- */

/* Appends the fault of the compressed data to the rows of its tar, which start at `first`. If the
 * last of these rows has a fault, this fault explains it and replaces it. */
static void replace_fault(const struct stream *u, size_t first, struct text *rows)
{
    struct archive_row row = { .event = EVENT_MEMBER };
    size_t last = first;

    for (size_t at = first; at < rows->length; at += sizeof row + row.name_length) {
        memcpy(&row, rows->at + at, sizeof row);
        last = at;
    }
    if (row.event != EVENT_MEMBER)
        text_cut(rows, last);
    row = (struct archive_row){ .event = u->fault };
    archive_add_row(rows, row, text_string(&u->reason));
}

bool archive_unpack_tar(int fd, int to, uint64_t max, struct text *rows, struct text *why)
{
    struct stream u = { .fd = fd, .to = to, .max = max, .why = why };
    unsigned char magic[2] = { 0 };
    size_t first = rows->length;
    bool good;

    if (!file_read_all(fd, magic, sizeof magic, 0) || lseek(fd, 0, SEEK_SET) != 0)
        text_adds(why, errno_text());
    else if (magic[0] == 0x1f && magic[1] == 0x8b)
        unpack_gzip(&u);
    else
        unpack_others(&u);
    good = !why->length && archive_index_tar(to, u.at, rows, why);
    if (good && u.fault != EVENT_MEMBER)
        replace_fault(&u, first, rows);
    text_drop(&u.reason);
    return good;
}
