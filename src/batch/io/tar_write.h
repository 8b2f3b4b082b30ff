/* tar_write: writes a tar, member by member. Its bytes depend only on names and contents.
 *
 * The format is POSIX ustar. Members are regular files of mode 0644, with owner and group 0 and no
 * names of them. A pax header (IEEE Std 1003.1, pax) before a member holds its name if the name has
 * more than 100 bytes or is not ASCII. libarchive is not used, since its output depends on its
 * version and on the locale. */
#pragma once

#include "base/text.h"

#include <stdio.h>

/* Returns the size of a member in a tar, with its headers. */
uint64_t tar_room(const char *name, size_t length);
/* Appends a member; `time` is in seconds since 1970. Write errors are kept in the FILE (ferror). */
void tar_add(FILE *, const char *name, struct slice bytes, uint64_t time);
/* Returns the modification time for members: 0, or SOURCE_DATE_EPOCH. */
uint64_t tar_time(void);
/* Appends the end of the archive. */
void tar_end(FILE *);
/* Marks the tar as truncated, with a header whose member is missing. Readers accept a tar without
 * an end marker as complete if it ends where a member ends. */
void tar_cut(FILE *);
