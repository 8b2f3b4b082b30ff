/* mapped_file: annotation files, mapped as views (view.h). Other programs may change the files
 * during the run.
 *
 * Changes are detected in two ways. First, the status of the file is compared for every record,
 * which is cheap. The status has its size, and the times of the last change of its bytes and of its
 * inode. If the status differs, the bytes are hashed and compared, since renames and links also
 * change it. Second, before results get their final names, the bytes of each view that changes with
 * its file are hashed in any case. */
#pragma once

#include "base/text.h"

/* Maps a file that the user names, or reads it if it cannot be mapped (pipes). It stays mapped for
 * the life of the process and its children. Returns false with the reason. A process that accesses
 * bytes which no longer exist (the file was truncated, or its disk fails) ends with EXIT_INPUT. The
 * process that mapped the file prints a message before. */
bool mapped_open(const char *path, struct slice *out, struct text *why);

/* Maps an open file that no other program uses, such as a temporary one. Closes it on failure.
 * Returns false with the reason. */
bool mapped_keep(const char *name, int fd, struct slice *out, struct text *why);

/* Returns the hash of the mapped file that contains the text, or of the text itself. */
uint64_t mapped_hash(struct slice text);

/* Releases the memory of a part of a mapping that will not be used soon. Does nothing for small
 * files and for other memory. */
void mapped_file_release(struct slice);

/* True if no mapped file has changed; otherwise `why` gets a message that names the file.
 * `thorough`: compare bytes too, not only the status. */
bool mapped_check(bool thorough, struct text *why);

/* Unmaps the result of input_map or archive_map. */
void input_unmap(struct slice);
