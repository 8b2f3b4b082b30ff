/* archive_calls: libarchive, which is loaded for the first archive, and functions that its readers
 * share. */
#include "batch/io/archive_calls.h"

#include "base/dynlib.h"
#include "base/files.h"

#include <errno.h>
#include <locale.h>
#include <string.h>
#include <unistd.h>

#define NAME(function) #function,
static const char *const names[] = { ARCHIVE_FUNCTIONS(NAME) };
static const struct dynlib library = { "libarchive.so.13", "libarchive13", names, COUNTOF(names) };

struct archive_calls archive_calls;

struct archive *archive_start(struct text *why)
{
    struct archive *a;

    _Static_assert(sizeof archive_calls == COUNTOF(names) * sizeof(void *), "pointers alone");
    if (!dynlib_open(&library, &archive_calls, why)) {
        text_adds(why, " [archive-library]");
        return NULL;
    }
    /* libarchive converts names in pax headers from UTF-8 to the encoding of the locale. */
    setlocale(LC_CTYPE, "C.UTF-8");
    a = archive_calls.archive_read_new();
    if (!a)
        memory_gone(0);
    return a;
}

int archive_open_start(struct archive *a, int fd)
{
    return lseek(fd, 0, SEEK_SET) == 0 ? archive_calls.archive_read_open_fd(a, fd, ARCHIVE_STEP)
                                       : ARCHIVE_FATAL;
}

enum archive_event archive_kind_of(struct archive_entry *e)
{
    unsigned type = archive_calls.archive_entry_filetype(e);

    if (archive_calls.archive_entry_hardlink(e) || type == AE_IFLNK)
        return EVENT_LINK;
    if (type != AE_IFREG)
        return EVENT_SPECIAL;
    return archive_calls.archive_entry_sparse_count(e) ? EVENT_SPARSE : EVENT_MEMBER;
}

const char *archive_name_of(struct archive_entry *e)
{
    const char *name = archive_calls.archive_entry_pathname_utf8(e);

    if (!name)
        name = archive_calls.archive_entry_pathname(e);
    return name ? name : "";
}

void archive_add_fault(struct archive *a, struct text *rows)
{
    const char *reason = archive_calls.archive_error_string(a);
    struct archive_row row = { .event = EVENT_DAMAGED };

    if (!reason)
        reason = "it cannot be read";
    if (strstr(reason, "runcated"))
        row.event = EVENT_TRUNCATED;
    archive_add_row(rows, row, reason);
}

enum archive_event archive_write(int to, uint64_t *at, uint64_t max, const void *bytes, size_t n,
                                 struct text *why)
{
    if (n > max - *at)
        return EVENT_LARGE;
    if (!file_write_all(to, bytes, n)) {
        text_addf(why,
                  "there is no space to unpack it: %s; set TMPDIR to a folder with more space, or "
                  "unpack it yourself [archive-room]",
                  strerror(errno));
        return EVENT_DAMAGED;
    }
    *at += n;
    return EVENT_MEMBER;
}

void archive_add_row(struct text *rows, struct archive_row row, const char *name)
{
    row.name_length = (uint32_t)strlen(name);
    text_add(rows, &row, sizeof row);
    text_add(rows, name, row.name_length);
}
