/* ring_join: rings put together and collected. */
#include "geom/ring_join.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

/* A piece of no more area, in square pixels, is none if rounding can make one of it. */
static const double SLIVER = 1e-9;
/* Lines on which a ring that sums to nothing is searched for ground (see ring_is_sliver). */
enum { PROBES = 16 };

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

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

/* Where the ring crosses the line y, from left to right: between the first and second, third and
 * fourth, ... lies its even-odd inside. `x` has room for as many numbers as the ring has points. */
static size_t crossings_at(const struct ring *r, double y, double *x)
{
    size_t n = 0;

    for (size_t i = 0; i < r->n; i++) {
        struct point a = r->at[i], b = r->at[i + 1 < r->n ? i + 1 : 0];

        if ((a.y > y) != (b.y > y))
            x[n++] = a.x + (b.x - a.x) * ((y - a.y) / (b.y - a.y));
    }
    qsort(x, n, sizeof *x, by_value);
    return n;
}

/* The even-odd length of the ring's inside on the line y. `x` has room as for crossings_at. */
static double inside_at(const struct ring *r, double y, double *x)
{
    size_t n = crossings_at(r, y, x);
    double sum = 0;

    for (size_t i = 1; i < n; i += 2)
        sum += x[i] - x[i - 1];
    return sum;
}

bool ring_is_sliver(const struct ring *r, const struct ring *of)
{
    struct box b = box_of_points(r->at, r->n), all = box_of_points(of->at, of->n);
    double largest = fmax(fmax(fabs(all.x0), fabs(all.x1)), fmax(fabs(all.y0), fabs(all.y1)));
    double least = 16 * DBL_EPSILON * largest * (b.x1 - b.x0 + b.y1 - b.y0), sum = 0, *room;

    least = fmin(SLIVER, least);
    if (r->n < 3)
        return true;
    if (ring_area(r) > least)
        return false;
    room = memory_take(r->n * sizeof *room);
    for (int i = 0; i < PROBES; i++)
        sum += inside_at(r, b.y0 + (b.y1 - b.y0) * (i + 0.5) / PROBES, room);
    free(room);
    return !(sum * (b.y1 - b.y0) / PROBES > least);
}

/* The first pixel centre in a row at x or behind it. */
static double centre_from(double x)
{
    return ceil(x - 0.5) + 0.5;
}

bool ring_covers_centre(const struct ring *r, struct frame f)
{
    struct box b = box_intersect(box_of_points(r->at, r->n), box_of_frame(f));
    double *x = memory_take((r->n + 1) * sizeof *x);
    bool covers = false;

    for (double y = centre_from(b.y0); y < b.y1 && !covers; y++) {
        size_t n = crossings_at(r, y, x);

        for (size_t i = 1; i < n && !covers; i += 2)
            covers = centre_from(fmax(b.x0, x[i - 1])) < fmin(b.x1, x[i]);
    }
    free(x);
    return covers;
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
    double least = INFINITY;

    for (size_t i = 0; i < *n; i++) {
        const struct box *c = &box[index[i]];
        double distance = fabs(c->x0 + c->x1 - b.x0 - b.x1) + fabs(c->y0 + c->y1 - b.y0 - b.y1);

        if (distance < least) {
            least = distance;
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
