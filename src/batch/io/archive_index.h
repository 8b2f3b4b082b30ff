/* archive_index: what an archive has, as rows; and stdin as an archive. */
#pragma once

#include "base/text.h"

#include <sys/stat.h>

/* Indexes a tar: appends rows, of which the last is EVENT_MEMBER unless something is wrong. Returns
 * false with the reason if libarchive cannot be loaded. */
bool archive_index_tar(int fd, uint64_t length, struct text *rows, struct text *why);
/* Decompresses a tar to the file `to`, and indexes that file. Checksums are compared, and all bytes
 * are read: what follows the compressed data, unless it is zeros, is an EVENT_TRAILING. More than
 * `max` bytes are an EVENT_LARGE. */
bool archive_unpack_tar(int fd, int to, uint64_t max, struct text *rows, struct text *why);
/* Does the same for a ZIP archive, whose members are written one after the other. */
bool archive_unpack_zip(int fd, uint64_t length, int to, uint64_t max, struct text *rows,
                        struct text *why);
/* Copies stdin, which can be read only once, to a file without a name, where members have offsets.
 * Returns its descriptor, with its status; -1 with the reason. */
int archive_copy_stdin(struct stat *, struct text *why);
