/* archive_read: members of archives, found by name and read where they stand. */
#pragma once

#include "batch/io/archive_set.h"
#include "batch/io/root.h"

const struct member *archive_find(const struct tar_set *, const char *name);
/* Of an image: is there a member of the same key, the name up to the first dot behind the last
 * slash, with this suffix (".json")? Its name, or NULL. */
const char *archive_beside(const struct tar_set *, const char *image, const char *suffix);
/* A member as a file: its own size, its archive's times. False with the reason when there is none,
 * or when its archive is not what was indexed. */
bool archive_status(const struct tar_set *, const char *name, struct stat *, struct text *why);
/* It will be read soon. */
void archive_expect(const struct tar_set *, const char *name);
/* Read a member, as input_read does; `check` may be NULL. Of more than `most` bytes, none. */
bool archive_read(const struct tar_set *, const char *name, const struct input_check *check,
                  uint64_t most, struct text *out, struct stat *, struct text *why);
/* The first bytes of a member, at most `room` of them; its size in *length. False with the reason.
 */
bool archive_begin(const struct tar_set *, const char *name, void *to, size_t room,
                   uint64_t *length, struct text *why);
/* Map it, as input_map does; input_unmap ends it. */
bool archive_map(const struct tar_set *, const char *name, const struct input_check *check,
                 struct slice *out, struct text *why);
