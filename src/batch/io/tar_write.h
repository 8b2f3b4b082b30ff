/* tar_write: a tar, member by member, whose bytes depend on names and contents alone.
 *
 * POSIX ustar: regular files of mode 0644, of owner and group 0, without names of them. A name of
 * more than 100 bytes, or one that is not ASCII, stands in a pax header before its member (IEEE Std
 * 1003.1, pax). It is written here and not by libarchive, whose bytes are those of its version and
 * of the locale. */
#pragma once

#include "base/text.h"

#include <stdio.h>

/* How many bytes a member takes in a tar, with its headers. */
uint64_t tar_room(const char *name, size_t length);
/* Append a member; `time` is in seconds since 1970. The FILE keeps what goes wrong. */
void tar_add(FILE *, const char *name, struct slice bytes, uint64_t time);
/* The time that members have: 0, or SOURCE_DATE_EPOCH. */
uint64_t tar_time(void);
/* Append its end. */
void tar_end(FILE *);
/* Append what makes it known as cut short: a header whose member does not follow. Readers take a
 * tar for whole that has no end, but ends where a member does. */
void tar_cut(FILE *);
