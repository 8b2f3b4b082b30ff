/* polygon: measures of rings, and rings copied and moved. */
#include "geom/ring_join.h"

#include <math.h>
#include <string.h>

static double signed_area(const struct ring *r)
{
    double sum = 0;

    /* Seen from its first point, a small ring far from the origin loses no digits. */
    for (size_t i = 2; i < r->n; i++)
        sum += cross(r->at[0], r->at[i - 1], r->at[i]);
    return sum / 2;
}

double ring_area(const struct ring *r)
{
    return fabs(signed_area(r));
}

double rings_area(const struct rings *r)
{
    double sum = 0;

    for (size_t i = 0; i < r->n; i++)
        sum += ring_area(&r->ring[i]);
    return sum;
}

struct box rings_bounds(const struct rings *r)
{
    struct box all = { 0 };
    bool any = false;

    for (size_t i = 0; i < r->n; i++) {
        struct box b = box_of_points(r->ring[i].at, r->ring[i].n);

        if (!r->ring[i].n)
            continue;
        all = any ? (struct box){ fmin(all.x0, b.x0), fmin(all.y0, b.y0), fmax(all.x1, b.x1),
                                  fmax(all.y1, b.y1) }
                  : b;
        any = true;
    }
    return all;
}

double ring_perimeter(const struct ring *r)
{
    double sum = 0;

    for (size_t i = 0; i < r->n; i++) {
        struct point a = r->at[i], b = ring_next(r, i);

        sum += hypot(b.x - a.x, b.y - a.y);
    }
    return sum;
}

bool ring_contains(const struct ring *r, struct point p)
{
    bool inside = false;

    for (size_t i = 0; i < r->n; i++) {
        struct point a = r->at[i], b = ring_next(r, i);

        if ((a.y > p.y) != (b.y > p.y) && p.x < a.x + (b.x - a.x) * ((p.y - a.y) / (b.y - a.y)))
            inside = !inside;
    }
    return inside;
}

struct ring ring_of_box(struct arena *arena, struct box b)
{
    struct ring r = { .at = ARENA_ARRAY(arena, struct point, 4), .n = 4 };

    r.at[0] = (struct point){ b.x0, b.y0 };
    r.at[1] = (struct point){ b.x1, b.y0 };
    r.at[2] = (struct point){ b.x1, b.y1 };
    r.at[3] = (struct point){ b.x0, b.y1 };
    return r;
}

struct ring ring_copy(struct arena *arena, const struct ring *r)
{
    struct ring copy = { ARENA_ARRAY(arena, struct point, r->n), r->n, r->cut };

    if (r->n)
        memcpy(copy.at, r->at, r->n * sizeof *r->at);
    return copy;
}

struct rings rings_copy(struct arena *arena, const struct rings *r)
{
    struct rings copy = { ARENA_ARRAY(arena, struct ring, r->n), r->n };

    for (size_t i = 0; i < r->n; i++)
        copy.ring[i] = ring_copy(arena, &r->ring[i]);
    return copy;
}

struct rings rings_both(struct arena *arena, const struct rings *a, const struct rings *b)
{
    struct rings both = { ARENA_ARRAY(arena, struct ring, a->n + b->n), 0 };

    for (size_t i = 0; i < a->n; i++)
        both.ring[both.n++] = a->ring[i];
    for (size_t i = 0; i < b->n; i++)
        both.ring[both.n++] = b->ring[i];
    return both;
}

void rings_apply(struct rings *r, const struct mat3 *map)
{
    for (size_t i = 0; i < r->n; i++)
        mat3_apply_all(map, r->ring[i].at, r->ring[i].n);
}
