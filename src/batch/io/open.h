/* open: reading the inputs of a run below a root, which is a folder or archives. */
#pragma once

#include "batch/io/root.h"

/* What a picture's file is checked for: its header does not ask for more than *most_pixels, which
 * must live as long, and a large one is no larger than its header explains. */
struct input_check input_check_picture(const size_t *most_pixels);

/* Read a whole regular file below a folder into `out` (replaced), with its status as it was then.
 * `check` may be NULL. False with the reason, without the name; so it is for a file that changes
 * each time while it is read. A large file may end the process as input_map does. */
bool input_read(const char *folder, const char *name, enum links, const struct input_check *check,
                struct text *out, struct stat *, struct text *why);

/* Read a regular file of at most `most` bytes; it may be empty. */
bool input_read_small(const char *folder, const char *name, enum links, uint64_t most,
                      struct text *out, struct text *why);

/* The first bytes of such a file, at most `room`, and the length of the file. How many they are; 0
 * when it is empty or cannot be read, of which input_map gives the reason. */
size_t input_begin(const char *folder, const char *name, enum links, void *to, size_t room,
                   uint64_t *length);

/* Map such a file, of which little is going to be looked at. A file that is cut short meanwhile
 * ends the process by SIGBUS: for processes that may die. input_unmap ends it. False with the
 * reason. */
bool input_map(const char *folder, const char *name, enum links, const struct input_check *check,
               struct slice *out, struct text *why);

/* What the header of an image of at most PICTURE_METADATA bytes says, when the first bytes of its
 * file tell: reading them takes less time than mapping it. False when input_map must be asked, for
 * what it says or for the reason. */
struct picture_header;
bool input_peek(const char *folder, const char *name, enum links, struct picture_header *);

/* What an image's header says, of which alone the file is judged, however large. As input_map. */
bool input_probe(const char *folder, const char *name, const size_t *most_pixels,
                 struct picture_header *, struct text *why);

/* The state of a file. Two files are the same if their sizes and times are, and one more thing: the
 * inode with the time of its last change, or the bytes. Zeros: the file was not read to its end. */
struct file_key {
    uint64_t size;
    int64_t mtime, ctime; /* ns since the epoch */
    uint64_t inode;
    uint64_t hash; /* hash_quick of the bytes; 0: they are not read */
};

/* Returns the key of a file without its hash: a change of the file changes the key. */
struct file_key input_key(const struct stat *);
/* The key of a file below a folder; zeros when it is not there or no regular file. */
struct file_key input_key_of(const char *folder, const char *name, enum links);
/* The hash_quick of its bytes. False when it cannot be read. */
bool input_hash(const char *folder, const char *name, enum links, uint64_t *hash);

/* It will be read soon: the kernel may begin to fetch it. Nothing is done while input_read does not
 * wait for a disk, as it was of late. What is wrong with it is left for input_read to say. */
void input_expect(const char *folder, const char *name, enum links);

/* Is it there, and a regular file? False with the reason. */
bool input_exists(const char *folder, const char *name, enum links, struct text *why);

/* Visit every file, in no order. Folders whose names begin with a dot are left out. Links to
 * folders are followed unless they are refused, but not into a folder that they are in: such a link
 * is said on stderr. False with a message in `why`. */
bool walk_files(const struct tree_walk *, struct text *why);
