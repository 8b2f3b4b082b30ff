/* archive_set: the archives of images that are open, by their paths. Functions that take a folder
 * (open.h) also take the path of archives that are open here. */
#pragma once

#include "base/arena.h"
#include "base/fault.h"
#include "json/document.h"

#include <sys/stat.h>

/* A file in a tar. Its name has passed name_is_safe, and no other member has it. */
struct member {
    const char *name;
    uint64_t at, size; /* of its bytes in the tar */
    size_t file;       /* which of the tars it is in */
};

struct tar_file {
    const char *path;
    int fd;             /* of the archive, which must not change */
    int data;           /* the file that has the members: the same, or what was unpacked of it */
    struct stat status; /* of the archive when it was indexed */
};

/* A tar, or the tars of a range, whose members are taken together. */
struct tar_set {
    const char *path; /* as the user names it */
    struct tar_file *files;
    size_t n_files;
    struct member *members; /* sorted by name */
    size_t n;
    struct arena arena;
};

/* True if the path names archives: it ends as they do, or it is a range, a{000..015}.tar. A folder
 * is no archive, whatever its name. */
bool archive_is_path(const char *path);
/* Returns the archive that was opened by this path, or NULL. */
const struct tar_set *archive_at(const char *path);
/* Returns the same, to be changed before it is used and sorted by archive_sort afterwards. */
struct tar_set *archive_opened(const char *path);
/* Sorts the members. Returns false with faults if two have the same name. */
bool archive_sort(struct tar_set *, struct faults *);
/* Adds members (struct member) of files that are open (struct tar_file) as an archive of this path.
 * Returns NULL with faults. */
const struct tar_set *archive_add(const char *path, const struct pile *files,
                                  const struct pile *members, struct faults *);
/* Starts the archive of this path with this many files, and no member yet. */
struct tar_set *archive_start_set(const char *path, size_t n_files);
