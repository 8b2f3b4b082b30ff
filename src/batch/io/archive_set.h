/* archive_set: the archives of images that are open, by their paths. Functions that take a folder
 * (open.h, read.h, walk.h) also take the path of archives that are open here. */
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
    int data;           /* where members stand: the same, or what was unpacked of it */
    struct stat status; /* of the archive when it was indexed */
};

/* One tar, or those of a range, whose members are taken together. */
struct tar_set {
    const char *path; /* as the user names it */
    struct tar_file *files;
    size_t n_files;
    struct member *members; /* sorted by name */
    size_t n;
    struct arena arena;
};

/* Is the path that of archives: a name that ends as theirs do, or a range, a{000..015}.tar? What is
 * a folder is none, whatever its name. */
bool archive_is_path(const char *path);
/* The archive that was opened by this path; NULL: none was. */
const struct tar_set *archive_at(const char *path);
/* The same, that may be changed before it is used; its members are in order again after
 * archive_sort, which is false with faults where two have one name. */
struct tar_set *archive_opened(const char *path);
bool archive_sort(struct tar_set *, struct faults *);
/* Add members (struct member) of files that are open (struct tar_file) as an archive of this path.
 * NULL with faults. */
const struct tar_set *archive_add(const char *path, const struct pile *files,
                                  const struct pile *members, struct faults *);
/* Starts the archive of this path with this many files, and no member yet. */
struct tar_set *archive_start_set(const char *path, size_t n_files);
