/* archive_read: members of archives, found by name and read at their offsets. */
#pragma once

#include "batch/io/archive_set.h"
#include "batch/io/root.h"

/* Returns the member of this name, or NULL. */
const struct member *archive_find(const struct tar_set *, const char *name);
/* Returns the name of the member that belongs to an image, with a suffix such as ".json"; or NULL.
 * Both have the same key: the name up to the first dot after the last slash. */
const char *archive_beside(const struct tar_set *, const char *image, const char *suffix);
/* Gets the status of a member as of a file: its own size, its archive's times. Returns false with
 * the reason if there is no such member, or if its archive is not what was indexed. */
bool archive_status(const struct tar_set *, const char *name, struct stat *, struct text *why);
/* Tells the kernel that a member will be read soon. */
void archive_expect(const struct tar_set *, const char *name);
/* Reads a member, as input_read does; `check` may be NULL. Returns false if it has more than `max`
 * bytes. */
bool archive_read(const struct tar_set *, const char *name, const struct input_check *check,
                  uint64_t max, struct text *out, struct stat *, struct text *why);
/* Reads the first bytes of a member, at most `room`; *length gets its size. Returns false with the
 * reason. */
bool archive_begin(const struct tar_set *, const char *name, void *to, size_t room,
                   uint64_t *length, struct text *why);
/* Maps a member, as input_map does; input_unmap unmaps it. */
bool archive_map(const struct tar_set *, const char *name, const struct input_check *check,
                 struct slice *out, struct text *why);
