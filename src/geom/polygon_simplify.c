/* polygon: points left out that hardly change a ring (Douglas and Peucker, 1973). */
#include "geom/polygon.h"

#include <math.h>
#include <stdlib.h>

/* Returns the squared distance of a point from the segment between two others. */
static double distance2(struct point p, struct point a, struct point b)
{
    double dx = b.x - a.x, dy = b.y - a.y, length2 = dx * dx + dy * dy, t = 0;

    if (length2 > 0)
        t = fmin(1, fmax(0, ((p.x - a.x) * dx + (p.y - a.y) * dy) / length2));
    dx = p.x - (a.x + t * dx);
    dy = p.y - (a.y + t * dy);
    return dx * dx + dy * dy;
}

static size_t farthest_point(const struct ring *r, struct point from)
{
    size_t far = 0;
    double max = -1;

    for (size_t i = 0; i < r->n; i++) {
        double d = distance2(r->at[i], from, from);

        if (d > max) {
            max = d;
            far = i;
        }
    }
    return far;
}

/* A part of the ring: its points from `from` to `to`, which continues past the ring's last point.
 */
struct stretch {
    size_t from, to;
};

/* Returns the point of a part that is farthest from the line between its ends; `from` if none is
 * farther than the tolerance. */
static size_t outermost(const struct ring *r, struct stretch s, double tolerance)
{
    double max = tolerance * tolerance;
    size_t at = s.from;

    for (size_t i = s.from + 1; i < s.to; i++) {
        double d = distance2(r->at[i % r->n], r->at[s.from], r->at[s.to % r->n]);

        if (d > max) {
            max = d;
            at = i;
        }
    }
    return at;
}

/* Two points stay: the point farthest from the first one, and the point farthest from that. */
static struct ring ring_simplified(struct arena *arena, const struct ring *r, double tolerance)
{
    struct stretch *todo = memory_take((r->n + 2) * sizeof *todo);
    bool *stays = ARENA_ARRAY(arena, bool, r->n);
    struct ring simple = { .at = ARENA_ARRAY(arena, struct point, r->n), .cut = r->cut };
    size_t n = 0, a = farthest_point(r, r->at[0]), b = farthest_point(r, r->at[a]);
    size_t first = a < b ? a : b, second = a < b ? b : a;

    stays[first] = stays[second] = true;
    todo[n++] = (struct stretch){ first, second };
    todo[n++] = (struct stretch){ second, first + r->n };
    while (n) {
        struct stretch s = todo[--n];
        size_t at = outermost(r, (struct stretch){ s.from, s.to }, tolerance);

        if (at == s.from)
            continue;
        stays[at % r->n] = true;
        if (at < r->n) {
            todo[n++] = (struct stretch){ s.from, at };
            todo[n++] = (struct stretch){ at, s.to };
        } else {
            todo[n++] = (struct stretch){ s.from, at };
            todo[n++] = (struct stretch){ at - r->n, s.to - r->n };
        }
    }
    for (size_t i = 0; i < r->n; i++)
        if (stays[i])
            simple.at[simple.n++] = r->at[i];
    free(todo);
    return simple;
}

struct rings rings_simplified(struct arena *arena, const struct rings *r, double tolerance)
{
    struct rings simple = { ARENA_ARRAY(arena, struct ring, r->n), r->n };

    for (size_t i = 0; i < r->n; i++) {
        struct ring *one = &simple.ring[i];

        *one = r->ring[i];
        if (one->n > 3)
            *one = ring_simplified(arena, &r->ring[i], tolerance);
        if (one->n < 3 || !(ring_area(one) > 0))
            *one = r->ring[i];
    }
    return simple;
}

size_t rings_points(const struct rings *r)
{
    size_t n = 0;

    for (size_t i = 0; i < r->n; i++)
        n += r->ring[i].n;
    return n;
}
