/* archive_index: finds the offsets of a tar's members. */
#include "batch/io/archive_calls.h"

#include "batch/io/archive_pax.h"
#include "batch/io/archive_index.h"

#include "base/files.h"

#include <string.h>

/* True if all bytes of a range are zero. Only zeros may follow the end marker, since tar pads its
 * last record. */
static bool is_zero(int fd, uint64_t from, uint64_t to)
{
    static const char zeros[ARCHIVE_STEP];
    char bytes[ARCHIVE_STEP];

    while (from < to) {
        size_t part = to - from < ARCHIVE_STEP ? (size_t)(to - from) : ARCHIVE_STEP;

        if (!file_read_all(fd, bytes, part, from) || memcmp(bytes, zeros, part) != 0)
            return false;
        from += part;
    }
    return true;
}

/* State while a tar is indexed. */
struct tar {
    struct archive *a;
    int fd;
    uint64_t length, next; /* length of the file; offset of the header after this member */
    struct text *rows;
};

/* True if the headers of the member, which end at `end`, are unambiguous; otherwise appends a row.
 * `name` gets the path of an extended header, if there is one. */
static bool has_clear_headers(struct tar *t, uint64_t end, struct text *name)
{
    uint64_t start = (uint64_t)archive_calls.archive_read_header_position(t->a);
    struct archive_row row = { .event = EVENT_DAMAGED };
    struct text why = { 0 };
    bool good = pax_is_clear(t->fd, start, end, name, &why);

    if (!good)
        archive_add_row(t->rows, row, text_string(&why));
    text_drop(&why);
    return good;
}

static bool add_entry(struct tar *t, struct archive_entry *e)
{
    struct archive_row row = { .at = (uint64_t)archive_calls.archive_filter_bytes(t->a, 0) };
    int64_t size = archive_calls.archive_entry_size(e);
    struct text name = { 0 };

    t->next = row.at;
    if (archive_calls.archive_entry_filetype(e) == AE_IFDIR &&
        !archive_calls.archive_entry_hardlink(e))
        return true;
    row.event = archive_kind_of(e);
    row.size = row.event == EVENT_MEMBER && size > 0 ? (uint64_t)size : 0;
    if (row.event == EVENT_MEMBER && !has_clear_headers(t, row.at, &name)) {
        text_drop(&name);
        return false;
    }
    if (row.at > t->length || row.size > t->length - row.at)
        row.event = EVENT_TRUNCATED;
    archive_add_row(t->rows, row, name.length ? text_string(&name) : archive_name_of(e));
    text_drop(&name);
    t->next += (row.size + TAR_BLOCK - 1) / TAR_BLOCK * TAR_BLOCK;
    return row.event != EVENT_TRUNCATED;
}

/* Appends a row unless the archive ends with blocks of zeros. Without them, members may be missing
 * after the last one. */
static void add_end(struct tar *t)
{
    uint64_t end = (uint64_t)archive_calls.archive_filter_bytes(t->a, 0);
    struct archive_row row = { .event = EVENT_TRUNCATED };

    if (end > t->next && is_zero(t->fd, end, t->length))
        return;
    if (end > t->next)
        row.event = EVENT_TRAILING;
    archive_add_row(t->rows, row, "");
}

bool archive_index_tar(int fd, uint64_t length, struct text *rows, struct text *why)
{
    struct tar t = { .a = archive_start(why), .fd = fd, .length = length, .rows = rows };
    struct archive_entry *e;
    bool good = true;
    int got;

    if (!t.a)
        return false;
    archive_calls.archive_read_support_format_tar(t.a);
    got = archive_open_start(t.a, fd);
    while (good && got == ARCHIVE_OK) {
        got = archive_calls.archive_read_next_header(t.a, &e);
        if (got == ARCHIVE_OK)
            good = add_entry(&t, e);
    }
    if (good && got == ARCHIVE_EOF)
        add_end(&t);
    else if (good)
        archive_add_fault(t.a, rows);
    archive_calls.archive_read_free(t.a);
    return true;
}
