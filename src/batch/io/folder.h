/* folder: opening and reading files below a folder, and files that the command line names. */
#pragma once

#include "batch/io/root.h"

/* The folder's descriptor (O_PATH), the same one as long as the process lives, and in what it
 * forks: what is put in the folder's place later is not looked at. -1 with errno. */
int input_folder(const char *folder);

/* Open a name below it, by one call of the kernel (by one for each part where links are refused and
 * the kernel does not know openat2); O_CLOEXEC is added to the flags. -1 with errno: ELOOP for a
 * link that is refused. */
int input_open(int folder, const char *name, enum links, int flags);

/* Open a regular file to be read, with its status; a pipe is not waited for. -1 with the reason. */
int input_open_regular(const char *folder, const char *name, enum links, struct stat *,
                       struct text *why);

/* Open a file that the user names: pipes too, as shells make them for <(...); "-" is stdin. Folders
 * are refused, and devices but for terminals and /dev/null. -1 with the reason. */
int input_open_named(const char *path, struct stat *, struct text *why);
/* Reads it to its end into `out` (replaced). Returns false with the reason, also if it has more
 * than `max` bytes, since a pipe may have no end. */
bool input_read_named(const char *path, uint64_t max, struct text *out, struct text *why);
/* The same for what is open, however long. */
bool input_read_all(int fd, struct text *out, struct text *why);
/* The same, but false if it has more than `max` bytes. */
bool input_read_up_to(int fd, uint64_t max, struct text *out, struct text *why);

/* True if nothing was written to the file between these two states. They include the time of the
 * last change of the inode, since the time of the bytes can be set back. So links and renames look
 * like changes. */
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
