/* read_ahead: reads pieces of an open file in approximately ascending order.
 *
 * The pieces are read through one buffer, which takes no memory for the file and causes no page
 * faults, unlike a mapping. If the pieces turn out to be in no order, the file is mapped after all.
 */
#pragma once

#include "base/base.h"

/* All zero: closed. */
struct read_ahead {
    int fd; /* borrowed */
    size_t length;
    char *at; /* `n` bytes of the file, starting at offset `from` */
    uint64_t from;
    size_t n, room;
    uint64_t asked, read; /* bytes so far */
    struct slice view;    /* the whole file, if it is mapped */
};

/* Returns a reader of the file's first `length` bytes. */
struct read_ahead read_ahead_open(int fd, size_t length);
/* Returns the bytes of a piece, valid until the next call. False with errno; EIO if the file is
 * shorter. */
bool read_ahead_find(struct read_ahead *, uint64_t offset, size_t length, struct slice *);
/* Releases memory of pieces that are not needed again soon. */
void read_ahead_release(struct read_ahead *);
void read_ahead_close(struct read_ahead *);
