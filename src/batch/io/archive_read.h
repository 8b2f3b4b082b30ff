/* archive_read: finds members of archives by name, and reads them at their offsets. */
#pragma once

#include "batch/io/archive_set.h"
#include "batch/io/root.h"

/* Returns the member of this name, or NULL. */
const struct member *archive_find(const struct tar_set *, const char *name);
/* Returns the name of the member that belongs to an image and has a suffix such as ".json"; or
 * NULL. Both have the same key: the name up to the first dot after the last slash. */
const char *archive_find_companion(const struct tar_set *, const char *image, const char *suffix);
/* Gets the status of a member in the form of a file's status: its own size, and the times of its
 * archive. Returns false with the reason if the member does not exist, or if its archive has
 * changed since it was indexed. */
bool archive_status(const struct tar_set *, const char *name, struct stat *, struct text *why);
/* Asks the kernel to read a member ahead. */
void archive_expect(const struct tar_set *, const char *name);
/* Reads a member in the same way as input_read; `check` may be NULL. Returns false with the reason
 * if it has more than `max` bytes. */
bool archive_read(const struct tar_set *, const char *name, const struct input_check *check,
                  uint64_t max, struct text *out, struct stat *, struct text *why);
/* Reads the first bytes of a member, at most `room`; *length gets the member's size. Returns false
 * with the reason. */
bool archive_begin(const struct tar_set *, const char *name, void *to, size_t room,
                   uint64_t *length, struct text *why);
/* Maps a member in the same way as input_map; input_unmap unmaps it. */
bool archive_map(const struct tar_set *, const char *name, const struct input_check *check,
                 struct slice *out, struct text *why);
