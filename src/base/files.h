/* files: checks names, and writes output files completely or not at all. */
#pragma once

#include "base/text.h"

/* True if the name is safe to open below a folder: relative, no empty, "." or ".." part, no
 * backslash, no drive or URL, no control characters, parts of at most 255 bytes and 4095 in total.
 * `why` receives the reason. Names from annotation files are untrusted until this check. */
bool name_is_safe(const char *name, const char **why);

/* True if the name is possible for a file below a folder, and can be written in lists and messages.
 * Like name_is_safe, but allows backslashes and colons, which only other systems interpret. For
 * names that were found in a folder. */
bool name_is_possible(const char *name, const char **why);

/* The message for a name that text_is_utf8 rejects. */
#define NAME_UTF8_FAULT                                                                            \
    "the file's name is no UTF-8, which the manifest needs; rename it (convmv does many)"

/* Stores folder/name in `out`. */
void path_join(struct text *out, const char *folder, const char *name);

/* Returns the name after the last slash. */
const char *base_name(const char *path);
/* True if the name ends with this, and has something before it. */
bool name_ends_with(const char *name, const char *ending);
/* True if the path leads to a folder. */
bool path_is_folder(const char *path);

/* True if the name matches a shell pattern (*, ?, [...]). A star also matches slashes; a pattern
 * without a slash also matches the last part of a name. */
bool path_matches(const char *pattern, const char *name);

/* True if the path goes back with ".." out of a folder that does not exist. If that folder were
 * made on the way, the path would lead elsewhere. Functions that make folders refuse it with
 * ENOENT. */
bool path_leads_back(const char *path);

/* Makes a folder and its parents. False with errno. */
bool folder_make(const char *path);
/* The same; stores in `kept` the length of the part of the path that existed before. */
bool folder_make_below(const char *path, size_t *kept);

/* Writes everything at the current position of a file or pipe, in as many calls as needed. False
 * with errno: some of it may be written. */
bool file_write_all(int fd, const void *, size_t length);

/* Writes everything to a file at offset `at`, whatever the descriptor's position. False with errno:
 * some of it may be written. */
bool file_write_all_at(int fd, const void *, size_t length, uint64_t at);

/* Reads `length` bytes of a file from offset `at`, whatever the descriptor's position. False with
 * errno; EIO if the file is shorter. */
bool file_read_all(int fd, void *, size_t length, uint64_t at);

/* Opens a temporary file without a name, in $TMPDIR or /tmp, or else in memory; then `name`
 * identifies it in /proc. -1 with errno. */
int file_open_unnamed(const char *name);

/* The functions below return false, or -1, with errno. They make new files: EEXIST if the name
 * exists; links are not followed. `access` is O_WRONLY or O_RDWR. */
int file_create_at(int folder, const char *name, int access);
/* Writes the whole file or nothing. */
bool file_write_at(int folder, const char *name, const void *, size_t length);
/* Renames a file to a name that does not exist. */
bool rename_new(int from_folder, const char *from, int to_folder, const char *to);

/* True if both paths lead to the same file. */
bool file_is_same(const char *, const char *);
/* True if the path is a pipe or a device, such as /dev/stderr, or stdout's target. These are
 * written to; a regular file is replaced (output_file.h). */
bool file_is_stream(const char *path);
/* Returns where the last folder with this name begins in a path, or NULL. */
const char *path_last_folder(const char *path, const char *name);
