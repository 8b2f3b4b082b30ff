/* archive_calls: libarchive, which is loaded for the first archive, and functions that its readers
 * share. */
#pragma once

#include "base/text.h"

#include <archive.h>
#include <archive_entry.h>

/* Kinds of rows in an index: members and faults. */
enum archive_event {
    EVENT_MEMBER,
    EVENT_LINK,
    EVENT_SPECIAL,
    EVENT_SPARSE,
    EVENT_TRUNCATED,
    EVENT_TRAILING,
    EVENT_DAMAGED,
    EVENT_ENCRYPTED,
    EVENT_LARGE
};
/* Row of an index in the output of the process that indexes. The name follows the row. */
struct archive_row {
    uint64_t at, size;
    uint32_t event, name_length;
};
void archive_add_row(struct text *rows, struct archive_row, const char *name);

#define ARCHIVE_FUNCTIONS(X)                                                                       \
    X(archive_read_new)                                                                            \
    X(archive_read_free)                                                                           \
    X(archive_read_support_format_tar)                                                             \
    X(archive_read_support_format_raw)                                                             \
    X(archive_read_support_format_zip_seekable)                                                    \
    X(archive_read_support_filter_bzip2)                                                           \
    X(archive_read_support_filter_xz)                                                              \
    X(archive_read_support_filter_zstd)                                                            \
    X(archive_read_data)                                                                           \
    X(archive_read_header_position)                                                                \
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

#define POINTER(function) __typeof__(&(function)) function;
struct archive_calls {
    ARCHIVE_FUNCTIONS(POINTER)
};
#undef POINTER
extern struct archive_calls archive_calls;

enum { TAR_BLOCK = 512, ARCHIVE_STEP = 1 << 16 };

/* Returns a new reader; NULL with the reason. Archives are read in a separate process, whose locale
 * becomes C.UTF-8. */
struct archive *archive_start(struct text *why);
/* Opens the file at its start. Returns a libarchive status code. */
int archive_open_start(struct archive *, int fd);
enum archive_event archive_kind_of(struct archive_entry *);
const char *archive_name_of(struct archive_entry *);
/* Appends a row with the reason that libarchive gives. */
void archive_add_fault(struct archive *, struct text *rows);
/* Appends unpacked bytes to the file `to`, which has *at bytes and may have `max`. Returns
 * EVENT_MEMBER if all are written, EVENT_LARGE if there are too many, or EVENT_DAMAGED if the disk
 * is full; then `why` gets the reason. */
enum archive_event archive_write(int to, uint64_t *at, uint64_t max, const void *bytes, size_t n,
                                 struct text *why);
