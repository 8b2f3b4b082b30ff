/* ring_join: builds and collects rings; for the polygon files, not for other modules. */
#pragma once

#include "geom/polygon.h"

static inline struct point ring_next(const struct ring *r, size_t i)
{
    return r->at[i + 1 < r->n ? i + 1 : 0];
}

/* Returns twice the area of the triangle, positive if a, b, c are clockwise on the screen. */
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

/* Adds a point, for which there is room, unless the ring's last point is the same. */
void ring_add(struct ring *, struct point);
/* Removes points at the end that repeat the first point. */
void ring_close(struct ring *);
/* Moves the indices of the boxes that meet b to the front, in order. Returns their number. */
size_t boxes_meeting(const struct box *, size_t *index, size_t n, struct box b);
/* Removes and returns the index of the box whose center is nearest to the center of b; the other
 * indices lose their order. Cutting by this box first gives parts of similar size. The other boxes
 * are shared between them, so that many boxes do not all meet all parts. */
size_t boxes_take_nearest(const struct box *, size_t *index, size_t *n, struct box b);
/* Returns 0, 1, ... n - 1; the caller frees it. */
size_t *indices_of(size_t n);
