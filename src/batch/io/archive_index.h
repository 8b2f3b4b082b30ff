/* archive_index: what an archive has, as rows; and stdin as an archive. */
#pragma once

#include "base/text.h"

#include <sys/stat.h>

/* Index what stands in the file: rows behind each other, the last of them EVENT_MEMBER unless
 * something is wrong. False with the reason when there is nothing to be indexed with. */
bool archive_index_tar(int fd, uint64_t length, struct text *rows, struct text *why);
/* Decompress a tar to a file of its own, and index that one. Checksums are compared, and all bytes
 * are read: what follows the compressed data, unless it is zeros, is an EVENT_TRAILING. More than
 * `max` bytes are an EVENT_LARGE. */
bool archive_unpack_tar(int fd, int to, uint64_t max, struct text *rows, struct text *why);
/* The same of a ZIP archive, whose members are written one after the other. */
bool archive_unpack_zip(int fd, uint64_t length, int to, uint64_t max, struct text *rows,
                        struct text *why);
/* Copy stdin, which is read once, to a file without a name, where members have places. -1 with the
 * reason; or the copy's descriptor, with its status. */
int archive_copy_stdin(struct stat *, struct text *why);
