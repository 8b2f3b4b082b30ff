/* files: reading inputs safely, and writing outputs whole or not at all. */
#pragma once

#include "../base/text.h"

/* Is the name safe to open below a folder: relative, no empty, "." or ".." part, no backslash, no
 * drive or URL, no control characters, parts of at most 255 bytes and 4096 in all? `why` says what
 * is wrong. Names from annotation files are hostile until this has said yes. */
bool name_is_safe(const char *name, const char **why);

/* folder/name, in `out`. */
void path_join(struct text *out, const char *folder, const char *name);

/* Decides by a file's first 16 bytes and its length whether it is read at all. */
struct file_check {
    bool (*allows)(const void *context, struct slice head, uint64_t length, struct text *why);
    const void *context;
};

/* Read a whole regular file below a folder into `out` (replaced). Symbolic links may not lead out
 * of the folder. `check` may be NULL. False with the reason, without the name. */
bool file_read_below(const char *folder, const char *name, const struct file_check *check,
                     struct text *out, struct text *why);

/* It will be read soon: the kernel may begin to fetch it. Opened as file_read_below does; what is
 * wrong with it is left for that to say. */
void file_expect_below(const char *folder, const char *name);

/* Read any file that the user names; "-" is stdin. */
bool file_read(const char *path, struct text *out, struct text *why);

/* Map a file for reading, or read it where mapping does not work; never given back. */
bool file_map(const char *path, struct slice *out, bool *mapped, struct text *why);
/* A part of a mapped file will not be looked at soon: its memory is free until then. */
void file_rest(struct slice mapped);

/* Is it there, and a regular file? */
bool file_exists_below(const char *folder, const char *name);

/* Hold the lock that a file stands for (it is made) until the descriptor is closed or the process
 * ends; processes that are forked do not have it. -1 with errno, EAGAIN when another process does.
 */
int file_lock(const char *path);

/* Make a folder and those above it. */
bool folder_make(const char *path);

/* Remove a folder with all in it; symbolic links are removed, not followed. */
bool folder_remove(const char *path);

bool folder_is_empty(const char *path); /* true when it does not exist */

/* Write a file under a temporary name in `scratch`, then rename it to folder/name, making folders
 * on the way. errno tells why it failed; then there is no file. */
bool file_write(const char *scratch, const char *folder, const char *name, const void *,
                size_t length);
/* Remove what a process that was killed while it wrote has left in `scratch`. */
void file_unwrite(const char *scratch, long process);
