/* files: which names are safe, and writing outputs whole or not at all. */
#pragma once

#include "base/text.h"

/* Is the name safe to open below a folder: relative, no empty, "." or ".." part, no backslash, no
 * drive or URL, no control characters, parts of at most 255 bytes and 4095 in all? `why` says what
 * is wrong. Names from annotation files are hostile until this has said yes. */
bool name_is_safe(const char *name, const char **why);

/* Could the name be that of a file below a folder, and stand in lists and messages? All of the
 * above but for what only other systems give a meaning to: backslashes and colons. For names that a
 * folder has. */
bool name_is_possible(const char *name, const char **why);

/* What is wrong with a name for which text_is_utf8 says no. */
#define NAME_UTF8_FAULT                                                                            \
    "the file's name is no UTF-8, which the manifest needs; rename it (convmv does many)"

/* folder/name, in `out`. */
void path_join(struct text *out, const char *folder, const char *name);

/* Does the name match the pattern of a shell (*, ?, [...])? A star is slashes, too; a pattern
 * without a slash is that of a name's last part, too. */
bool path_matches(const char *pattern, const char *name);

/* Does it go back with ".." out of a folder that does not exist? To make that folder on the way
 * would lead to another place than the path names now: making folders refuses it, with ENOENT. */
bool path_leads_back(const char *path);

/* Make a folder and those above it. False with errno. */
bool folder_make(const char *path);
/* The same; `kept` is how much of the path, up to the end of a folder, was there before. */
bool folder_make_below(const char *path, size_t *kept);

/* Write all of it where the file, or the pipe, is at, in as many calls as that takes. False with
 * errno: some of it may be written. */
bool file_write_all(int fd, const void *, size_t length);

/* Write all of it to a file from offset `at` on, wherever the descriptor is. False with errno: some
 * of it may be written. */
bool file_write_all_at(int fd, const void *, size_t length, uint64_t at);

/* Read so many bytes of a file from offset `at` on, wherever the descriptor is. False with errno:
 * EIO when the file is shorter. */
bool file_read_all(int fd, void *, size_t length, uint64_t at);

/* A temporary file that has no name, in $TMPDIR or /tmp, or in memory where none can be made there;
 * then `name` tells it from others in /proc. -1 with errno. */
int file_open_unnamed(const char *name);

/* Functions below return false, or -1, with errno. Files are new ones: where something is already
 * it is EEXIST, and links are not followed. `access` is O_WRONLY or O_RDWR. */
int file_create_at(int folder, const char *name, int access);
/* The whole file or none. */
bool file_write_at(int folder, const char *name, const void *, size_t length);
/* Rename a file to a name that is not taken. */
bool rename_new(int from_folder, const char *from, int to_folder, const char *to);

/* Do both paths lead to the same file? */
bool file_is_same(const char *, const char *);
/* Is it a pipe or a device, as /dev/stderr, or what stdout leads to? Such are written to; a file is
 * replaced (output_file.h). */
bool file_is_stream(const char *path);
/* Where the last folder of this name begins in a path, or NULL. */
const char *path_last_folder(const char *path, const char *name);
