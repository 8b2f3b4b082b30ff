/* output_file: a file that the user names for a command's output.
 *
 * All such files are opened and finished here (the lint check user_files refuses other ways):
 * 1. A regular file is written under a temporary name in its folder, and renamed once it is whole
 *    and on disk. Until then the former file stays, and after a failure nothing else is left.
 * 2. The new file has the former file's owner, group and mode, or the former file stays.
 * 3. A link stays a link: the file that it leads to is replaced. A link to nothing is refused.
 * 4. Pipes, devices and the target of stdout are written to, and never replaced.
 * 5. "-" is stdout.
 * Folders that a path names are made. Functions return an exit code, EXIT_DONE if they succeed;
 * otherwise `why` has the reason. */
#pragma once

#include "base/text.h"

#include <stdio.h>
#include <sys/types.h>

/* Its address must stay as long as it is open. */
struct output_file {
    FILE *file;         /* to write to; NULL once closed */
    int fd, error;      /* of `file`; the errno of its first fault, or 0 */
    struct text target; /* the file that is replaced or made; empty for a stream */
    struct text part;   /* the temporary name; the former file's name once exchanged */
    struct text backup; /* the former file's second name, or empty */
    size_t kept_folder; /* how many bytes of `target` name folders that existed before */
    dev_t device;       /* of the part */
    bool replaces;      /* a file is there */
    bool removes;       /* the target is to be removed, and nothing is written */
    bool has_moved;     /* the former file has the backup's name alone */
    bool is_placed;
};

/* Checks if a path can be written. EXIT_OCCUPIED if a file is there and must stay, EXIT_OUTPUT if
 * the path names a folder or a link to nothing. */
int output_check(const char *path, bool overwrite, struct text *why);
/* The error code in messages for such an exit code. */
const char *output_code(int exit_code);

/* Opens a file to write to `file`. It must be finished or dropped, also after a failure. */
int output_open(struct output_file *, const char *path, bool overwrite, struct text *why);
/* Closes the temporary file; its content is complete, but not yet on disk. */
int output_close(struct output_file *, struct text *why);
/* Gives the former file a second name beside it: NAME.orig, or NAME.orig2 and so on. */
int output_back_up(struct output_file *, struct text *why);
/* Puts the file in its place. Drops it. */
int output_finish(struct output_file *, struct text *why);
/* Removes the temporary file, unless the file is in its place, and frees the memory. */
void output_drop(struct output_file *);
/* Opens, writes and finishes a file. */
int output_write(const char *path, bool overwrite, const void *, size_t length, struct text *why);

/* Files that are put in their places together, or not at all. */
struct output_set {
    struct output_file *file;
    size_t n, room;
};
/* Returns the next file of the set, to be opened and closed. Valid until the next call. */
struct output_file *output_set_add(struct output_set *);
/* Adds a file that must not be there afterwards. */
int output_set_remove(struct output_set *, const char *path, struct text *why);
/* Puts all files in their places. After a failure, all former files are in their places, and
 * `failed` is the path of the file that could not be replaced; it lives as long as the set. */
int output_set_finish(struct output_set *, const char **failed, struct text *why);
void output_set_drop(struct output_set *);
