/* archive_set: the image archives that are open, by path. Functions that take the path of a folder
 * (open.h) also take the path of an open archive. */
#pragma once

#include "base/arena.h"
#include "base/fault.h"
#include "json/document.h"

#include <sys/stat.h>

/* A file in a tar. Its name passed name_is_safe and is unique in the set. */
struct member {
    const char *name;
    uint64_t at, size; /* offset and size of its bytes in the tar */
    size_t file;       /* index of its tar in the set */
};

struct tar_file {
    const char *path;
    int fd;   /* descriptor of the archive, which must not change */
    int data; /* descriptor of the file with the members: the archive itself, or its unpacked copy
               */
    struct stat status; /* of the archive when it was indexed */
};

/* A tar, or the tars of a range or of an index, which are used as one archive. */
struct tar_set {
    const char *path;                /* as the user wrote it */
    const struct shard_index *index; /* the path is of this index; or NULL */
    struct tar_file *files;
    size_t n_files;
    struct member *members; /* sorted by name */
    size_t n;
    struct taken_samples *taken; /* see read_samples.h; NULL: labels are still members */
    struct arena arena;
};

/* True if the path names archives: it has the suffix of one, or it is a range, a{000..015}.tar, or
 * the index of tars (shard_index.h). A folder is never an archive, whatever its name. */
bool archive_is_path(const char *path);
/* Returns the archive that was opened with this path, or NULL. */
const struct tar_set *archive_at(const char *path);
/* Returns the same archive for modification. Call archive_sort after the last change and before the
 * first use. */
struct tar_set *archive_opened(const char *path);
/* Sorts the members. Returns false with faults if two have the same name. */
bool archive_sort(struct tar_set *, struct faults *);
/* Registers an archive under a path, with its open files (struct tar_file) and members (struct
 * member). Returns NULL with faults. */
const struct tar_set *archive_add(const char *path, const struct pile *files,
                                  const struct pile *members, struct faults *);
/* Registers an archive with this path and number of files, and without members. */
struct tar_set *archive_start_set(const char *path, size_t n_files);
