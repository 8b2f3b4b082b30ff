/* archive_open: tars and ZIP archives of images in the place of a folder.
 *
 * They are indexed once, before workers are forked, and stay open: workers read members at their
 * offsets. Functions that take a folder (open.h, walk.h) also take the path of archives that
 * were opened here. */
#pragma once

#include "base/arena.h"
#include "base/fault.h"
#include "batch/io/open.h"

#include "json/document.h"

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
/* Open and index it, or with "-" the one that comes from stdin, once; it stays as long as the
 * process lives. EXIT_DONE, or another code with faults: each member that is refused is one. */
int archive_open(const char *path, struct faults *);
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

const struct member *archive_find(const struct tar_set *, const char *name);
/* Of an image: is there a member of the same key, the name up to the first dot behind the last
 * slash, with this suffix (".json")? Its name, or NULL. */
const char *archive_beside(const struct tar_set *, const char *image, const char *suffix);

/* A member as a file: its own size, its archive's times. False with the reason when there is none,
 * or when its archive is not what was indexed. */
bool archive_status(const struct tar_set *, const char *name, struct stat *, struct text *why);
/* It will be read soon. */
void archive_expect(const struct tar_set *, const char *name);
/* Read a member, as input_read does; `check` may be NULL. Of more than `most` bytes, none. */
bool archive_read(const struct tar_set *, const char *name, const struct input_check *check,
                  uint64_t most, struct text *out, struct stat *, struct text *why);
/* The first bytes of a member, at most `room` of them; its size in *length. False with the reason.
 */
bool archive_begin(const struct tar_set *, const char *name, void *to, size_t room,
                   uint64_t *length, struct text *why);
/* Map it, as input_map does; input_unmap ends it. */
bool archive_map(const struct tar_set *, const char *name, const struct input_check *check,
                 struct slice *out, struct text *why);

/* --- for archive*.c --- */

/* What an index has: members, and what is wrong with it. */
enum archive_event {
    EVENT_MEMBER,
    EVENT_LINK,
    EVENT_SPECIAL,
    EVENT_SPARSE,
    EVENT_TRUNCATED,
    EVENT_TRAILING,
    EVENT_DAMAGED,
    EVENT_ENCRYPTED,
    EVENT_LARGE
};
/* As a process of its own hands it over: the head, and the name behind it. */
struct archive_row {
    uint64_t at, size;
    uint32_t event, name_length;
};
void archive_add_row(struct text *rows, struct archive_row, const char *name);

/* Index what stands in the file: rows behind each other, the last of them EVENT_MEMBER unless
 * something is wrong. False with the reason when there is nothing to be indexed with. */
bool archive_index_tar(int fd, uint64_t length, struct text *rows, struct text *why);
/* Decompress a tar to a file of its own, and index that one. Checksums are compared, and all bytes
 * are read: what follows the compressed data, unless it is zeros, is an EVENT_TRAILING. More than
 * `max` bytes are an EVENT_LARGE. */
bool archive_unpack_tar(int fd, int to, uint64_t max, struct text *rows, struct text *why);
/* The same of a ZIP archive, whose members are written one after the other. */
bool archive_unpack_zip(int fd, uint64_t length, int to, uint64_t max, struct text *rows,
                        struct text *why);
/* Copy stdin, which is read once, to a file without a name, where members have places. -1 with the
 * reason; or the copy's descriptor, with its status. */
int archive_copy_stdin(struct stat *, struct text *why);
