/* self_intersection: finds polygons that cross themselves. */
#include "check/rule.h"

#include <stdlib.h>

enum { FEW_LINES = 48, MAX_PAIRS = 1 << 22 };

struct line {
    struct point from, to;
    double x0, x1, y0, y1;
    size_t index;
};

/* Returns the side of a line on which a point is: above 0, below 0, or 0 on the line. */
static double side(struct point a, struct point b, struct point p)
{
    return (b.x - a.x) * (p.y - a.y) - (b.y - a.y) * (p.x - a.x);
}

static bool cross(const struct line *a, const struct line *b)
{
    double c = side(a->from, a->to, b->from), d = side(a->from, a->to, b->to);

    if (!((c < 0 && d > 0) || (c > 0 && d < 0)))
        return false;
    c = side(b->from, b->to, a->from);
    d = side(b->from, b->to, a->to);
    return (c < 0 && d > 0) || (c > 0 && d < 0);
}

static bool meet(const struct line *a, const struct line *b)
{
    return a->x0 <= b->x1 && b->x0 <= a->x1 && a->y0 <= b->y1 && b->y0 <= a->y1 && cross(a, b);
}

static struct line line_of(const struct ring *ring, size_t i)
{
    struct point a = ring->at[i], b = ring->at[i + 1 < ring->n ? i + 1 : 0];

    return (struct line){ .from = a,
                          .to = b,
                          .x0 = a.x < b.x ? a.x : b.x,
                          .x1 = a.x < b.x ? b.x : a.x,
                          .y0 = a.y < b.y ? a.y : b.y,
                          .y1 = a.y < b.y ? b.y : a.y,
                          .index = i };
}

static int by_begin(const void *a, const void *b)
{
    const struct line *x = a, *y = b;

    if (x->x0 != y->x0)
        return x->x0 < y->x0 ? -1 : 1;
    return x->index < y->index ? -1 : 1;
}

bool ring_crosses_itself(const struct ring *ring, struct arena *scratch)
{
    struct line few[FEW_LINES], *lines = few;
    size_t pairs = 0;
    bool many = ring->n > FEW_LINES;

    if (ring->n < 4)
        return false;
    if (many)
        lines = ARENA_ARRAY(scratch, struct line, ring->n);
    for (size_t i = 0; i < ring->n; i++)
        lines[i] = line_of(ring, i);
    if (many)
        qsort(lines, ring->n, sizeof *lines, by_begin);
    for (size_t i = 0; i < ring->n; i++)
        for (size_t j = i + 1; j < ring->n && (!many || lines[j].x0 <= lines[i].x1); j++) {
            if (meet(&lines[i], &lines[j]))
                return true;
            if (++pairs > MAX_PAIRS)
                return false;
        }
    return false;
}
