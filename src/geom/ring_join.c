/* ring_join: rings put together and collected. */
#include "geom/ring_join.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

void pieces_add(struct arena *arena, struct pieces *p, struct ring piece)
{
    if (p->list.n == p->room) {
        struct ring *grown = ARENA_ARRAY(arena, struct ring, 2 * p->room + 8);

        for (size_t i = 0; i < p->list.n; i++)
            grown[i] = p->list.ring[i];
        p->list.ring = grown;
        p->room = 2 * p->room + 8;
    }
    p->list.ring[p->list.n++] = piece;
}

void ring_add(struct ring *r, struct point p)
{
    if (!r->n || r->at[r->n - 1].x != p.x || r->at[r->n - 1].y != p.y)
        r->at[r->n++] = p;
}

void ring_close(struct ring *r)
{
    while (r->n > 1 && r->at[0].x == r->at[r->n - 1].x && r->at[0].y == r->at[r->n - 1].y)
        r->n--;
}

struct ring rings_tied(struct arena *arena, const struct rings *r)
{
    struct ring all = { .cut = true };
    size_t room = 0;

    for (size_t i = 0; i < r->n; i++)
        room += r->ring[i].n + 2;
    all.at = ARENA_ARRAY(arena, struct point, room);
    for (size_t i = 0; i < r->n; i++) {
        for (size_t k = 0; k <= r->ring[i].n; k++)
            ring_add(&all, r->ring[i].at[k % r->ring[i].n]);
        if (i && i + 1 < r->n)
            ring_add(&all, r->ring[0].at[0]);
    }
    return all;
}

size_t boxes_meeting(const struct box *box, size_t *index, size_t n, struct box b)
{
    size_t kept = 0;

    for (size_t i = 0; i < n; i++)
        if (!box_is_empty(box_intersect(box[index[i]], b)))
            index[kept++] = index[i];
    return kept;
}

size_t boxes_take_nearest(const struct box *box, size_t *index, size_t *n, struct box b)
{
    size_t nearest = 0, taken;
    double min = INFINITY;

    for (size_t i = 0; i < *n; i++) {
        const struct box *c = &box[index[i]];
        double distance = fabs(c->x0 + c->x1 - b.x0 - b.x1) + fabs(c->y0 + c->y1 - b.y0 - b.y1);

        if (distance < min) {
            min = distance;
            nearest = i;
        }
    }
    taken = index[nearest];
    index[nearest] = index[--*n];
    return taken;
}

size_t *indices_of(size_t n)
{
    size_t *index = memory_take((n + 1) * sizeof *index);

    for (size_t i = 0; i < n; i++)
        index[i] = i;
    return index;
}
