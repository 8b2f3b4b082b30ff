/* archive_index: the members of an archive, as rows; and archives from stdin. */
#pragma once

#include "base/text.h"

#include <sys/stat.h>

/* Indexes a tar: appends rows. The last row is EVENT_MEMBER unless something is wrong. Returns
 * false with the reason if libarchive cannot be loaded. */
bool archive_index_tar(int fd, uint64_t length, struct text *rows, struct text *why);
/* Decompresses a tar to the file `to`, and indexes that file. Checksums are compared, and all bytes
 * are read. Bytes other than zeros after the compressed data give an EVENT_TRAILING, and more than
 * `max` bytes an EVENT_LARGE. Returns as archive_index_tar. */
bool archive_unpack_tar(int fd, int to, uint64_t max, struct text *rows, struct text *why);
/* Unpacks the members of a ZIP archive, one after another, to the file `to`, and indexes them.
 * Returns as archive_index_tar. */
bool archive_unpack_zip(int fd, uint64_t length, int to, uint64_t max, struct text *rows,
                        struct text *why);
/* Copies stdin, which can be read only once, to an unnamed file, where members have offsets.
 * Returns its descriptor and its status; -1 with the reason. */
int archive_copy_stdin(struct stat *, struct text *why);
