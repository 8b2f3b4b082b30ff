/* folder: opens and reads files below a folder, and files that the command line names. */
#pragma once

#include "batch/io/root.h"

/* Returns the folder's descriptor (O_PATH); -1 with errno. The process and its children keep the
 * same descriptor for life, so a folder that later replaces this one is ignored. */
int input_folder(const char *folder);

/* Opens a file below the folder; O_CLOEXEC is added to the flags. Returns -1 with errno: ELOOP for
 * a link that is refused. One system call suffices, except where links are refused and the kernel
 * lacks openat2: then each part of the name takes one. */
int input_open(int folder, const char *name, enum links, int flags);

/* Opens a regular file for reading, and gets its status. Does not wait for the writer of a pipe.
 * Returns -1 with the reason. */
int input_open_regular(const char *folder, const char *name, enum links, struct stat *,
                       struct text *why);

/* Opens a file that the user names; "-" is stdin. Accepts pipes, which shells make for <(...).
 * Refuses folders, and devices except terminals and /dev/null. Returns -1 with the reason. */
int input_open_named(const char *path, struct stat *, struct text *why);
/* Reads a file that the user names into `out` (replaced). Returns false with the reason, also if
 * the file has more than `max` bytes, since a pipe may have no end. */
bool input_read_named(const char *path, uint64_t max, struct text *out, struct text *why);
/* Reads an open file of any size to its end into `out` (replaced). Returns false with the reason.
 */
bool input_read_all(int fd, struct text *out, struct text *why);
/* Reads an open file to its end. Returns false with the reason, also if it has more than `max`
 * bytes. */
bool input_read_up_to(int fd, uint64_t max, struct text *out, struct text *why);

/* True if the file was not written between these two states. The states include the time of the
 * last change of the inode, since a program can set the modification time back. So links and
 * renames look like changes. */
bool input_is_same(const struct stat *, const struct stat *);

/* --- the calls of root.h --- */

bool folder_status(const struct root *, const char *name, enum links, struct stat *,
                   struct text *why);
bool folder_hash(const struct root *, const char *name, enum links, uint64_t *hash);
void folder_expect(const struct root *, const char *name, enum links);
bool folder_read(const struct root *, const char *name, enum links, const struct input_check *,
                 struct text *out, struct stat *, struct text *why);
bool folder_read_small(const struct root *, const char *name, enum links, uint64_t max,
                       struct text *out, struct text *why);
size_t folder_begin(const struct root *, const char *name, enum links, void *to, size_t room,
                    uint64_t *length);
bool folder_map(const struct root *, const char *name, enum links, const struct input_check *,
                struct slice *out, struct text *why);
