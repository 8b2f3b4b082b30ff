/* open: opening and reading what a run reads: files below its folders, and files that the command
 * line names. Names below folders were checked as text before (names_allowed). */
#pragma once

#include "batch/image/report.h"

#include <sys/stat.h>

/* Symbolic links below a folder: the user's own, wherever they lead; or refused, each of them. What
 * the command line itself names is followed always. */
enum links { LINKS_FOLLOW, LINKS_REFUSE };

/* The folder's descriptor (O_PATH), the same one as long as the process lives, and in what it
 * forks: what is put in the folder's place later is not looked at. -1 with errno. */
int input_folder(const char *folder);

/* Open a name below it, by one call of the kernel (by one for each part where links are refused and
 * the kernel does not know openat2); O_CLOEXEC is added to the flags. -1 with errno: ELOOP for a
 * link that is refused. */
int input_open(int folder, const char *name, enum links, int flags);

/* Decides by a file's first 16 bytes and its length whether it is read at all; then, of a file of
 * more than `large` bytes, by those that it looks at: the file is mapped. */
struct input_check {
    bool (*allows)(const void *context, struct slice head, uint64_t length, struct text *why);
    const void *context;
    uint64_t large;
    bool (*allows_large)(const void *context, struct slice mapped, struct text *why);
};

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
 * ends the process by SIGBUS: for processes that may die. False with the reason. */
bool input_map(const char *folder, const char *name, enum links, const struct input_check *check,
               struct slice *out, struct text *why);
void input_unmap(struct slice);

/* What the header of an image of at most PICTURE_METADATA bytes says, when the first bytes of its
 * file tell: reading them takes less time than mapping it. False when input_map must be asked, for
 * what it says or for the reason. */
struct picture_header;
bool input_peek(const char *folder, const char *name, enum links, struct picture_header *);

/* What an image's header says, of which alone the file is judged, however large. As input_map. */
bool input_probe(const char *folder, const char *name, const size_t *most_pixels,
                 struct picture_header *, struct text *why);

/* Has nothing been written to the file between these two? The time of a change of its inode is
 * looked at, too, since that of its bytes can be set back; so links and renames look like changes.
 */
bool input_is_same(const struct stat *, const struct stat *);

/* Returns the key of a file without its hash: a change of the file changes the key. */
struct file_key input_key(const struct stat *);
/* The key of a file below a folder; zeros when it is not there or no regular file. */
struct file_key input_key_of(const char *folder, const char *name, enum links);
/* The hash_quick of its bytes. False when it cannot be read. */
bool input_hash(const char *folder, const char *name, enum links, uint64_t *hash);

/* It will be read soon: the kernel may begin to fetch it. Nothing is done while input_read does not
 * wait for a disk, as it was of late. What is wrong with it is left for input_read to say. */
void input_expect(const char *folder, const char *name, enum links);

/* Open a regular file to be read, with its status; a pipe is not waited for. -1 with the reason. */
int input_open_regular(const char *folder, const char *name, enum links, struct stat *,
                       struct text *why);

/* Is it there, and a regular file? False with the reason. */
bool input_exists(const char *folder, const char *name, enum links, struct text *why);

/* Open a file that the user names: pipes too, as shells make them for <(...); "-" is stdin. Folders
 * are refused, and devices but for terminals and /dev/null. -1 with the reason. */
int input_open_named(const char *path, struct stat *, struct text *why);
/* Read it to its end into `out` (replaced). False with the reason; so it is for more than `most`
 * bytes, since a pipe may have no end. */
bool input_read_named(const char *path, uint64_t most, struct text *out, struct text *why);
/* The same for what is open, however long. */
bool input_read_all(int fd, struct text *out, struct text *why);
