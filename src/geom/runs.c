/* runs: writes and reads runs. */
#include "geom/runs.h"

#include <stdlib.h>
#include <string.h>

void runs_reserve(struct runs *r, size_t room)
{
    uint32_t *at = ARENA_ARRAY(r->arena, uint32_t, room);

    if (r->n)
        memcpy(at, r->at, r->n * sizeof *at);
    r->at = at;
    r->room = room;
}

static void put(struct runs *r, uint32_t run)
{
    if (r->n == r->room)
        runs_reserve(r, 2 * r->room + 16);
    r->at[r->n++] = run;
}

/* A run too long for 32 bits is written in parts with nothing between, as any reader of COCO's
 * 32-bit runs would need it. */
static void put_long(struct runs *r, uint64_t run)
{
    for (; run > UINT32_MAX; run -= UINT32_MAX) {
        put(r, UINT32_MAX);
        put(r, 0);
    }
    put(r, (uint32_t)run);
}

void runs_turn(struct runs *r, uint64_t length)
{
    put_long(r, r->length);
    r->value = !r->value;
    r->length = length;
}

struct rle runs_end(struct runs *r, int height, int width)
{
    if (r->length)
        put_long(r, r->length);
    r->length = 0;
    return (struct rle){ height, width, r->at, r->n };
}

bool changes_next(struct changes *c, uint64_t *at)
{
    const uint32_t *run = c->mask->run;
    size_t n = c->mask->n;

    if (c->next >= n)
        return false;
    c->at += run[c->next++];
    /* A run of length 0 changes nothing: the run after it continues the one before. */
    while (c->next + 1 < n && run[c->next] == 0) {
        c->at += run[c->next + 1];
        c->next += 2;
    }
    *at = c->at;
    return c->next < n && run[c->next] != 0;
}

bool changes_next_ones(struct changes *c, uint64_t *from, uint64_t *to)
{
    if (!changes_next(c, from))
        return false;
    if (!changes_next(c, to))
        *to = c->at;
    return true;
}

/* Adds each column's part of each run of ones; only counts if row is NULL. */
static void cut_columns(const struct rle *m, size_t *end, int32_t *row)
{
    struct changes c = { .mask = m };
    uint64_t h = (uint64_t)m->height, total = rle_total(m), from, to;

    while (changes_next_ones(&c, &from, &to) && from < total) {
        if (to > total)
            to = total;
        for (uint64_t x = from / h; x * h < to; x++) {
            uint64_t top = from > x * h ? from - x * h : 0;
            uint64_t bottom = to < (x + 1) * h ? to - x * h : h;

            if (row) {
                row[end[x]] = (int32_t)top;
                row[end[x] + 1] = (int32_t)bottom;
            }
            end[x] += 2;
        }
    }
}

struct columns columns_of(const struct rle *m)
{
    size_t width = rle_total(m) ? (size_t)m->width : 0;
    size_t *start = memory_take((width + 2) * sizeof *start);
    int32_t *row;

    /* Counted one to the right of their place, summed, and then moved there by the filling. */
    memset(start, 0, (width + 2) * sizeof *start);
    cut_columns(m, start + 2, NULL);
    for (size_t x = 2; x < width + 2; x++)
        start[x] += start[x - 1];
    row = memory_take(start[width + 1] * sizeof *row);
    cut_columns(m, start + 1, row);
    return (struct columns){ start, row };
}

void columns_drop(struct columns *c)
{
    free(c->start);
    free(c->row);
    *c = (struct columns){ 0 };
}
