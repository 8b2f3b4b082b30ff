/* open: reads the inputs of a run below a root, which is a folder or an archive. */
#pragma once

#include "batch/io/root.h"

/* Returns a check for image files. The header may not declare more than *max_pixels pixels, and a
 * large file may not be larger than its header explains. `max_pixels` must outlive the check. */
struct input_check input_check_picture(const size_t *max_pixels);

/* Reads a whole regular file below a folder into `out` (replaced), and gets its status at that
 * time. `check` may be NULL. Returns false with the reason, without the name, also if the file
 * changes during each attempt. A large file may end the process: see input_map. */
bool input_read(const char *folder, const char *name, enum links, const struct input_check *check,
                struct text *out, struct stat *, struct text *why);

/* Reads a regular file of at most `max` bytes, which may be empty. Returns false with the reason.
 */
bool input_read_small(const char *folder, const char *name, enum links, uint64_t max,
                      struct text *out, struct text *why);

/* Reads the first bytes of a regular file, at most `room`; *length gets the length of the file.
 * Returns their number. Returns 0 if the file is empty or cannot be read; then input_map gives the
 * reason. */
size_t input_begin(const char *folder, const char *name, enum links, void *to, size_t room,
                   uint64_t *length);

/* Maps a regular file, for callers that read only a small part of it; input_unmap unmaps it.
 * Returns false with the reason. If another program truncates the file, SIGBUS ends the process. So
 * only a process that may die should call this. */
bool input_map(const char *folder, const char *name, enum links, const struct input_check *check,
               struct slice *out, struct text *why);

/* Reads the header of an image of at most PICTURE_METADATA bytes from the first bytes of its file,
 * which is faster than mapping the file. Returns false if these bytes do not suffice; then use
 * input_map, which also gives the reason of a fault. */
struct picture_header;
bool input_peek(const char *folder, const char *name, enum links, struct picture_header *);

/* Reads an image's header. Does not check the size of the file. Returns false with the reason. May
 * end the process in the same way as input_map. */
bool input_probe(const char *folder, const char *name, const size_t *max_pixels,
                 struct picture_header *, struct text *why);

/* State of a file. Two states are equal if size and time are equal, and also either the inode with
 * the time of its last change, or the bytes. All zero: the file was not read to its end. */
struct file_key {
    uint64_t size;
    int64_t mtime, ctime; /* ns since the epoch */
    uint64_t inode;
    uint64_t hash; /* hash_quick of the bytes; 0: not read */
};

/* Returns the state of a file without its hash. Every change of the file changes the result. */
struct file_key input_key(const struct stat *);
/* Returns the state of a file below a folder; zeros if it does not exist or is not a regular file.
 */
struct file_key input_key_of(const char *folder, const char *name, enum links);
/* Computes hash_quick of a file's bytes. Returns false if the file cannot be read. */
bool input_hash(const char *folder, const char *name, enum links, uint64_t *hash);

/* Tells the kernel that a file will be read soon, so that it may start to fetch it. Does nothing
 * while recent calls of input_read did not wait for the disk. Ignores errors, which input_read
 * reports later. */
void input_expect(const char *folder, const char *name, enum links);

/* Checks that a regular file of this name exists. Returns false with the reason. */
bool input_exists(const char *folder, const char *name, enum links, struct text *why);

/* Visits every file, in no particular order. Skips folders whose names begin with a dot. Follows
 * links to folders unless they are refused; reports links to a parent folder on stderr instead of
 * following them. Returns false with a message in `why`. */
bool walk_files(const struct tree_walk *, struct text *why);
