/* runs: writes and reads runs, for the rle files; not for other modules.
 *
 * Writing: stretches of 0 or 1 of any length become canonical runs. Reading: any mask, even with
 * zero-length runs, is an ascending list of places where the value changes. */
#pragma once

#include "geom/rle.h"

/* Writes a mask column by column; initialize with { .arena = a }. */
struct runs {
    struct arena *arena;
    uint32_t *at;
    size_t n, room;
    bool value; /* of the pending run, and its length */
    uint64_t length;
};

/* Makes room for `room` runs, at least as many as exist. More can be added, but that abandons the
 * old array in the arena. */
void runs_reserve(struct runs *, size_t room);
/* Ends the pending run, and begins one of this length. */
void runs_turn(struct runs *, uint64_t length);
static inline void runs_add(struct runs *r, bool value, uint64_t length)
{
    if (value == r->value)
        r->length += length;
    else if (length)
        runs_turn(r, length);
}

struct rle runs_end(struct runs *, int height, int width);

/* Reads a mask; initialize with { .mask = m }. */
struct changes {
    const struct rle *mask;
    size_t next; /* run */
    uint64_t at;
};

/* Finds the next pixel, in column order, that differs from the one before it (the first pixel is
 * compared with 0); false if there is none. */
bool changes_next(struct changes *, uint64_t *at);
/* Finds the next stretch of ones, [from, to); false if there is none. Call either this or
 * changes_next. */
bool changes_next_ones(struct changes *, uint64_t *from, uint64_t *to);

/* The columns of a mask. Column x is 1 in rows [row[i], row[i + 1]), for i from start[x] in steps
 * of two to before start[x + 1]. Not in an arena: columns_drop frees it. */
struct columns {
    size_t *start;
    int32_t *row;
};

struct columns columns_of(const struct rle *);
void columns_drop(struct columns *);

/* Returns the number of pixels. */
static inline uint64_t rle_total(const struct rle *m)
{
    return m->height > 0 && m->width > 0 ? (uint64_t)m->height * (uint64_t)m->width : 0;
}
