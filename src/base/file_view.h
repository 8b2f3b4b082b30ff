/* file_view: random access to the bytes of an open file.
 *
 * A mapped file costs page faults in each process that reads it. In a virtual machine with nested
 * paging, that takes ten times as long as reading the file. So files of medium size are read into
 * large pages, which forked processes share. Small files are mapped since they have few pages.
 * Large ones are mapped since pages that are no longer needed can be released. */
#pragma once

#include "base/base.h"

/* Opens the first `length` bytes of a file, which need not stay open. An empty slice for 0 bytes.
 * False with errno; EIO if the file is shorter. */
bool view_open(int fd, size_t length, struct slice *);
/* Opens the whole file at its current length. */
bool view_whole(int fd, struct slice *);
/* Releases a slice from view_open or view_whole. */
void view_close(struct slice);
/* True if a view of this length is mapped; then it changes when the file does. */
bool view_is_mapped(size_t length);
/* Releases the memory of mapped bytes that are not needed soon. Does nothing where reading them
 * again would cost more. */
void file_view_release(struct slice whole, struct slice part);
