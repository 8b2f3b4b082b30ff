/* file_view: the bytes of an open file, to be looked at in any order.
 *
 * A mapped file costs a fault, or several, for each few of its pages, in each process that looks at
 * it: where memory is virtual twice over, ten times as much as reading it does. So files of
 * middling size are read, into large pages, which processes that are forked share. Small ones are
 * mapped, as they have few pages, and so are large ones, as what was looked at can be let go. */
#pragma once

#include "base/base.h"

/* All of the file from its beginning; it need not stay open. No bytes: an empty slice. False with
 * errno; EIO when the file is shorter. */
bool view_open(int fd, size_t length, struct slice *);
/* As long as it is now. */
bool view_whole(int fd, struct slice *);
/* Of a slice by view_open. */
void view_close(struct slice);
/* Is a view of so many bytes mapped? Then it changes when the file does. */
bool view_is_mapped(size_t length);
/* Mapped bytes of a view will not be looked at soon: their memory is free. Nothing is done where
 * touching them again would cost more than they take. */
void view_rest(struct slice whole, struct slice part);
