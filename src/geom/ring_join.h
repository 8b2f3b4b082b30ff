/* ring_join: rings put together and collected; for the polygon files, not for other modules. */
#pragma once

#include "geom/polygon.h"

static inline struct point ring_next(const struct ring *r, size_t i)
{
    return r->at[i + 1 < r->n ? i + 1 : 0];
}

/* Twice the area of the triangle, positive when a, b, c go clockwise on the screen. */
static inline double cross(struct point a, struct point b, struct point c)
{
    return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

/* A growing list of rings. */
struct pieces {
    struct rings list;
    size_t room;
};

void pieces_add(struct arena *, struct pieces *, struct ring);

/* Another point, which has room, unless the ring's last one is the same. */
void ring_add(struct ring *, struct point);
/* Take away what repeats the first point at the end. */
void ring_close(struct ring *);
/* Of the boxes named by n indices, those that meet b: their indices to the front, in order. Returns
 * how many. */
size_t boxes_meeting(const struct box *, size_t *index, size_t n, struct box b);
/* Take one out of n indices, in no order: that of the box whose middle is nearest to b's. What is
 * cut by that one first falls into parts of like size, each with its share of the others, so that
 * many boxes do not all meet all parts. */
size_t boxes_take_nearest(const struct box *, size_t *index, size_t *n, struct box b);
/* 0, 1, ... n - 1; to be freed. */
size_t *indices_of(size_t n);
