/* archive_zip: unpacks the files of ZIP archives, one after another. */
#include "batch/io/archive_calls.h"

#include "batch/io/archive_zip_check.h"
#include "batch/io/archive_index.h"

struct zip_output {
    struct archive *a;
    int to;
    uint64_t at, max; /* number of bytes in `to`, and its limit */
    struct text *rows, *why;
};

/* Unpacks one file. Returns false if nothing more can be read, with the reason in a row or in
 * `why`. */
static bool unpack_data(struct zip_output *u, struct archive_row *row)
{
    static char bytes[ARCHIVE_STEP];
    ssize_t got;

    row->at = u->at;
    while ((got = archive_calls.archive_read_data(u->a, bytes, sizeof bytes)) > 0) {
        row->event = archive_write(u->to, &u->at, u->max, bytes, (size_t)got, u->why);
        if (row->event != EVENT_MEMBER)
            return row->event == EVENT_LARGE;
    }
    row->size = u->at - row->at;
    if (got < 0)
        archive_add_fault(u->a, u->rows);
    return got == 0;
}

static bool unpack_entry(struct zip_output *u, struct archive_entry *e)
{
    struct archive_row row = { .event = archive_kind_of(e) };

    if (archive_calls.archive_entry_filetype(e) == AE_IFDIR &&
        !archive_calls.archive_entry_hardlink(e))
        return true;
    if (archive_calls.archive_entry_is_encrypted(e))
        row.event = EVENT_ENCRYPTED;
    if (row.event == EVENT_MEMBER && !unpack_data(u, &row))
        return false;
    archive_add_row(u->rows, row, archive_name_of(e));
    return row.event != EVENT_LARGE;
}

static void unpack_all(struct zip_output *u, int fd)
{
    struct archive_entry *e;
    bool good = true;
    int got;

    archive_calls.archive_read_support_format_zip_seekable(u->a);
    got = archive_open_start(u->a, fd);
    while (good && got == ARCHIVE_OK) {
        got = archive_calls.archive_read_next_header(u->a, &e);
        if (got == ARCHIVE_OK)
            good = unpack_entry(u, e);
    }
    if (good && got != ARCHIVE_EOF)
        archive_add_fault(u->a, u->rows);
}

bool archive_unpack_zip(int fd, uint64_t length, int to, uint64_t max, struct text *rows,
                        struct text *why)
{
    struct zip_output u = { .to = to, .max = max, .rows = rows, .why = why };
    struct text reason = { 0 };

    u.a = archive_start(why);
    if (!u.a)
        return false;
    if (zip_is_consistent(fd, length, &reason))
        unpack_all(&u, fd);
    else
        archive_add_row(rows, (struct archive_row){ .event = EVENT_DAMAGED }, text_string(&reason));
    text_drop(&reason);
    archive_calls.archive_read_free(u.a);
    return !why->length;
}
