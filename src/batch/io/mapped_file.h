/* mapped_file: annotation files, as views (view.h): others may change them while they are used.
 *
 * A change is found in two ways. What the kernel says of the file (size, times of the last change
 * of bytes and of the inode) is cheap to ask for, and asked for with every record; where it
 * differs, as it does for a file that is only renamed or linked, the bytes are hashed and compared.
 * And before results get their final names the bytes of a view that changes with its file are
 * hashed in any case. */
#pragma once

#include "base/text.h"

/* Map a file that the user names, or read it where that does not work (pipes). It stays as long as
 * the process, and what it forks. False with the reason. A process that reads bytes which are not
 * there any more (the file was cut short, or its disk fails) ends with EXIT_INPUT; the one that
 * mapped it says so before. */
bool mapped_open(const char *path, struct slice *out, struct text *why);

/* The same of an open file that is no one else's, as a temporary one; it is closed when it fails.
 */
bool mapped_keep(const char *name, int fd, struct slice *out, struct text *why);

/* The hash of a mapped file that the text is of, or of the text itself. */
uint64_t mapped_hash(struct slice text);

/* This part of a mapping will not be looked at soon: its memory is free. Of other bytes, and of
 * small files, nothing is done. */
void mapped_rest(struct slice);

/* Are all mapped files what they were? False with a message that names the file. `thorough`: not
 * only by what the kernel says. */
bool mapped_check(bool thorough, struct text *why);

/* Unmaps what input_map or archive_map has mapped. */
void input_unmap(struct slice);
