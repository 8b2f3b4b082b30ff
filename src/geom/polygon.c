/* polygon: measures of rings, and whether they overlap or are covered. */
#include "polygon.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Rings that overlap by less than this, in pixels, only touch. */
static const double TOUCH = 1e-6;

/* Twice the area of the triangle, positive when a, b, c go clockwise on the screen. */
static double cross(struct point a, struct point b, struct point c)
{
    return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

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

static struct point ring_next(const struct ring *r, size_t i)
{
    return r->at[i + 1 < r->n ? i + 1 : 0];
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

static double distance_to_edge(struct point a, struct point b, struct point p)
{
    double dx = b.x - a.x, dy = b.y - a.y, length2 = dx * dx + dy * dy, t = 0;

    if (length2 > 0)
        t = fmin(1, fmax(0, ((p.x - a.x) * dx + (p.y - a.y) * dy) / length2));
    return hypot(a.x + t * dx - p.x, a.y + t * dy - p.y);
}

/* Inside, and not merely on the edge. */
static bool well_inside(const struct ring *r, struct point p)
{
    if (!ring_contains(r, p))
        return false;
    for (size_t i = 0; i < r->n; i++)
        if (distance_to_edge(r->at[i], ring_next(r, i), p) <= TOUCH)
            return false;
    return true;
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

/* Where the segment a-b meets the ring's edges and corners, as parameters 0..1; at most 2 an edge.
 * A place too many does no harm, so nearly parallel lines need no care. */
static size_t meeting_places(struct point a, struct point b, const struct ring *r, double *t)
{
    double dx = b.x - a.x, dy = b.y - a.y, length2 = dx * dx + dy * dy;
    size_t n = 0;

    for (size_t i = 0; i < r->n; i++) {
        struct point p = r->at[i], q = ring_next(r, i);
        double sp = cross(a, b, p), sq = cross(a, b, q);

        /* Corners near the line: also those of edges that run along it. */
        if (fabs(sp) <= TOUCH * sqrt(length2))
            t[n++] = ((p.x - a.x) * dx + (p.y - a.y) * dy) / length2;
        if ((sp > 0) != (sq > 0)) {
            double s = sp / (sp - sq);

            t[n++] =
                ((p.x + (q.x - p.x) * s - a.x) * dx + (p.y + (q.y - p.y) * s - a.y) * dy) / length2;
        }
    }
    return n;
}

/* Does a stretch of the outline of `r` run inside `in`? `t` has room for 2 + 2 * in->n. */
static bool runs_inside(const struct ring *r, const struct ring *in, double *t)
{
    struct box all = box_of_points(in->at, in->n);

    for (size_t i = 0; i < r->n; i++) {
        struct point a = r->at[i], b = ring_next(r, i);
        struct box edge = box_of_points((struct point[]){ a, b }, 2);
        size_t n;

        if ((a.x == b.x && a.y == b.y) || edge.x0 > all.x1 || edge.x1 < all.x0 ||
            edge.y0 > all.y1 || edge.y1 < all.y0)
            continue;
        n = meeting_places(a, b, in, t);
        t[n++] = 0;
        t[n++] = 1;
        qsort(t, n, sizeof *t, by_value);
        /* Between two neighbouring places the segment is all inside or all outside. */
        for (size_t k = 1; k < n; k++) {
            double m = (t[k - 1] + t[k]) / 2;

            if (t[k - 1] >= 0 && t[k] <= 1 && t[k] > t[k - 1] &&
                well_inside(in, (struct point){ a.x + (b.x - a.x) * m, a.y + (b.y - a.y) * m }))
                return true;
        }
    }
    return false;
}

/* The middle of the first inner stretch on the line y. `x` has room for n numbers. */
static bool point_inside_at(const struct ring *r, double y, double *x, struct point *p)
{
    size_t n = 0;

    for (size_t i = 0; i < r->n; i++) {
        struct point a = r->at[i], b = ring_next(r, i);

        if ((a.y > y) != (b.y > y))
            x[n++] = a.x + (b.x - a.x) * ((y - a.y) / (b.y - a.y));
    }
    qsort(x, n, sizeof *x, by_value);
    for (size_t i = 1; i < n; i += 2)
        if (x[i] - x[i - 1] > 2 * TOUCH) {
            *p = (struct point){ (x[i] + x[i - 1]) / 2, y };
            return true;
        }
    return false;
}

/* Is there ground common to two rings whose outlines do not enter each other? Then they are the
 * same region, or at least share the ground of some inner point. */
static bool same_ground(const struct ring *a, const struct ring *b, double *x)
{
    struct box bounds = box_of_points(a->at, a->n);
    struct point p;

    for (int i = 1; i < 8; i++)
        if (point_inside_at(a, bounds.y0 + (bounds.y1 - bounds.y0) * i / 8, x, &p) &&
            well_inside(a, p) && well_inside(b, p))
            return true;
    return false;
}

static bool pair_overlaps(const struct ring *a, const struct ring *b)
{
    double *room = memory_take((2 * (a->n + b->n) + 2) * sizeof *room);
    bool yes = runs_inside(a, b, room) || runs_inside(b, a, room) || same_ground(a, b, room);

    free(room);
    return yes;
}

/* A ring's bounds, from lo to hi along the way that is swept, and across. */
struct bounded {
    const struct ring *ring;
    double lo, hi, from, to;
};

static int by_lo(const void *a, const void *b)
{
    double x = ((const struct bounded *)a)->lo, y = ((const struct bounded *)b)->lo;

    return (x > y) - (x < y);
}

/* Many rings lie beside each other in one direction, and over each other in the other one: they are
 * swept in that in which they are shorter, so that few are met at a time. */
static void bound_rings(const struct rings *r, struct bounded *to)
{
    struct box all = rings_bounds(r);
    double width = 0, height = 0;
    bool down;

    for (size_t i = 0; i < r->n; i++) {
        struct box b = box_of_points(r->ring[i].at, r->ring[i].n);

        width += b.x1 - b.x0;
        height += b.y1 - b.y0;
    }
    down = height * (all.x1 - all.x0) < width * (all.y1 - all.y0);
    for (size_t i = 0; i < r->n; i++) {
        struct box b = box_of_points(r->ring[i].at, r->ring[i].n);

        to[i] = down ? (struct bounded){ &r->ring[i], b.y0, b.y1, b.x0, b.x1 }
                     : (struct bounded){ &r->ring[i], b.x0, b.x1, b.y0, b.y1 };
    }
    qsort(to, r->n, sizeof *to, by_lo);
}

bool rings_overlap(const struct rings *r)
{
    struct bounded *b;
    bool found = false;

    if (r->n < 2)
        return false;
    b = memory_take(r->n * sizeof *b);
    bound_rings(r, b);
    for (size_t i = 0; i < r->n && !found; i++)
        for (size_t j = i + 1; j < r->n && b[j].lo < b[i].hi && !found; j++)
            found = fmax(b[i].lo, b[j].lo) < fmin(b[i].hi, b[j].hi) &&
                    fmax(b[i].from, b[j].from) < fmin(b[i].to, b[j].to) &&
                    pair_overlaps(b[i].ring, b[j].ring);
    free(b);
    return found;
}

struct ring ring_of_box(struct arena *arena, struct box b)
{
    struct ring r = { ARENA_ARRAY(arena, struct point, 4), 4 };

    r.at[0] = (struct point){ b.x0, b.y0 };
    r.at[1] = (struct point){ b.x1, b.y0 };
    r.at[2] = (struct point){ b.x1, b.y1 };
    r.at[3] = (struct point){ b.x0, b.y1 };
    return r;
}

struct ring ring_copy(struct arena *arena, const struct ring *r)
{
    struct ring copy = { ARENA_ARRAY(arena, struct point, r->n), r->n };

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

void rings_apply(struct rings *r, const struct mat3 *map)
{
    for (size_t i = 0; i < r->n; i++)
        for (size_t k = 0; k < r->ring[i].n; k++)
            r->ring[i].at[k] = mat3_apply(map, r->ring[i].at[k]);
}
