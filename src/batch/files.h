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

/* Does it go back with ".." out of a folder that does not exist? To make that folder on the way
 * would lead to another place than the path names now: making folders refuses it, with ENOENT. */
bool path_leads_back(const char *path);

/* Make a folder and those above it. False with errno. */
bool folder_make(const char *path);
/* The same; `kept` is how much of the path, up to the end of a folder, was there before. */
bool folder_make_below(const char *path, size_t *kept);

/* Functions below return false, or -1, with errno. Files are new ones: where something is already
 * it is EEXIST, and links are not followed. `access` is O_WRONLY or O_RDWR. */
int file_create_at(int folder, const char *name, int access);
/* The whole file or none. */
bool file_write_at(int folder, const char *name, const void *, size_t length);
/* Rename a file to a name that is not taken. */
bool rename_new(int from_folder, const char *from, int to_folder, const char *to);

/* Write a file whole or not at all, under a temporary name in its folder ("" is the current one)
 * and renamed over what is there. */
bool file_write(const char *folder, const char *name, const void *, size_t length);
