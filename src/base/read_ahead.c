/* read_ahead: reads pieces of an open file in approximately ascending order. */
#include "base/read_ahead.h"

#include "base/files.h"
#include "base/file_view.h"

#include <errno.h>
#include <stdlib.h>

enum {
    ROOM = 1 << 20,
    BEHIND =
        ROOM / 8, /* bytes kept before a piece: several processes write pieces nearly in order */
    FAIR_READ = 8 << 20,
    MAX_READ_RATIO = 4 /* the file is mapped if more than FAIR_READ, and more than 4 times the bytes
                          asked for, were read */
};

struct read_ahead read_ahead_open(int fd, size_t length)
{
    return (struct read_ahead){ .fd = fd, .length = length };
}

/* Reads the piece, and bytes around it, into the buffer. */
static bool fill(struct read_ahead *w, uint64_t offset, size_t length)
{
    uint64_t from = offset > BEHIND ? offset - BEHIND : 0;
    size_t n = length + BEHIND > ROOM ? length + BEHIND : ROOM;

    n = n < w->length - from ? n : w->length - (size_t)from;
    if (n > w->room) {
        free(w->at);
        w->at = memory_take(n);
        w->room = n;
    }
    w->from = from;
    w->n = 0;
    if (!file_read_all(w->fd, w->at, n, from))
        return false;
    w->n = n;
    w->read += n;
    return true;
}

static bool has_piece(const struct read_ahead *w, uint64_t offset, size_t length)
{
    return offset >= w->from && offset - w->from <= w->n && length <= w->n - (offset - w->from);
}

bool read_ahead_find(struct read_ahead *w, uint64_t offset, size_t length, struct slice *piece)
{
    *piece = (struct slice){ "", 0 };
    if (offset > w->length || length > w->length - offset) {
        errno = EIO;
        return false;
    }
    if (!length)
        return true;
    w->asked += length;
    if (!w->view.length && !has_piece(w, offset, length)) {
        if (w->read <= FAIR_READ || w->read / MAX_READ_RATIO <= w->asked) {
            if (!fill(w, offset, length))
                return false;
        } else if (!view_open(w->fd, w->length, &w->view)) {
            return false;
        }
    }
    *piece =
        (struct slice){ w->view.length ? w->view.at + offset : w->at + (offset - w->from), length };
    return true;
}

void read_ahead_release(struct read_ahead *w)
{
    if (w->view.length)
        file_view_release(w->view, w->view);
}

void read_ahead_close(struct read_ahead *w)
{
    free(w->at);
    if (w->view.length)
        view_close(w->view);
    *w = (struct read_ahead){ 0 };
}
