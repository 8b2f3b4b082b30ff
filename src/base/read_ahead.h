/* read_ahead: pieces of an open file, asked for in about the order in which they stand there.
 *
 * They are read through a buffer that is used again and again: that takes no memory for the file,
 * and no fault for its pages, of which a mapping takes one for each few. Where the pieces turn out
 * to be asked for in no order, the file is mapped after all. */
#pragma once

#include "base/base.h"

/* All zero: closed. */
struct read_ahead {
    int fd; /* borrowed */
    size_t length;
    char *at; /* `n` bytes of the file, from `from` on */
    uint64_t from;
    size_t n, room;
    uint64_t asked, read; /* bytes so far */
    struct slice view;    /* of all of it, where it was mapped */
};

/* Of the file's first `length` bytes. */
struct read_ahead read_ahead_open(int fd, size_t length);
/* The bytes of a piece, valid until the next call. False with errno; EIO when the file is
 * shorter. */
bool read_ahead_find(struct read_ahead *, uint64_t offset, size_t length, struct slice *);
/* What was looked at will not be again soon. */
void read_ahead_rest(struct read_ahead *);
void read_ahead_close(struct read_ahead *);
