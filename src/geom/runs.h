/* runs: how the rle files write and read runs; not for other modules.
 *
 * Written: stretches of 0 or 1 of any length become canonical runs. Read: a mask of any runs, also
 * with zero-length ones, is a rising list of places where the value changes. */
#pragma once

#include "geom/rle.h"

/* A mask being written, column by column; begin with { .arena = a }. */
struct runs {
    struct arena *arena;
    uint32_t *at;
    size_t n, room;
    bool value; /* of the run not yet written, and its length */
    uint64_t length;
};

/* Room for so many runs, which must hold those that there are; more find room, too, but leave their
 * former place in the arena empty. */
void runs_reserve(struct runs *, size_t room);
/* The run that was not yet written is whole, and another one of so many begins. */
void runs_turn(struct runs *, uint64_t length);
static inline void runs_add(struct runs *r, bool value, uint64_t length)
{
    if (value == r->value)
        r->length += length;
    else if (length)
        runs_turn(r, length);
}

struct rle runs_end(struct runs *, int height, int width);

/* A mask being read; begin with { .mask = m }. */
struct changes {
    const struct rle *mask;
    size_t next; /* run */
    uint64_t at;
};

/* The next pixel, in column order, that differs from the one before it (a 0 stands before the
 * first); false when there is none. */
bool changes_next(struct changes *, uint64_t *at);
/* The next stretch of ones, [from, to); false when there is none. Call either this or the above. */
bool changes_next_ones(struct changes *, uint64_t *from, uint64_t *to);

/* A mask cut into its columns: column x is 1 from row[i] to before row[i + 1], for i from start[x]
 * in steps of two to before start[x + 1]. Not in an arena: columns_drop gives it back. */
struct columns {
    size_t *start;
    int32_t *row;
};

struct columns columns_of(const struct rle *);
void columns_drop(struct columns *);

/* The number of pixels. */
static inline uint64_t rle_total(const struct rle *m)
{
    return m->height > 0 && m->width > 0 ? (uint64_t)m->height * (uint64_t)m->width : 0;
}

/* rle_move by a map without col and row. */
struct rle rle_warp(struct arena *, const struct rle *, const struct map *, struct frame out);
