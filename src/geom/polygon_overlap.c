/* polygon: tests if rings overlap.
 *
 * Each ring's edges are listed by bands of y, so that an edge or a point is compared only with its
 * neighborhood. Time grows with the number of edges, not with their product. */
#include "geom/ring_join.h"

#include <math.h>
#include <stdlib.h>

/* Rings that overlap by less than this, in pixels, only touch. */
static const double TOUCH = 1e-6;

/* A ring and, band after band from y0 down, the edges that come near it: those of band k are
 * edge[start[k]] to before edge[start[k + 1]]. */
struct bands {
    struct ring ring;
    struct box box;
    double height; /* of a band */
    size_t n, *start, *edge;
};

static size_t band_at(const struct bands *b, double y)
{
    double k = (y - b->box.y0) / b->height;

    return k > 0 ? k < (double)(b->n - 1) ? (size_t)k : b->n - 1 : 0;
}

/* Counts one to the right of each band's place, or fills in. */
static void list_edges(struct bands *b, size_t *end, size_t *edge)
{
    for (size_t i = 0; i < b->ring.n; i++) {
        double y = b->ring.at[i].y, next = ring_next(&b->ring, i).y;
        size_t last = band_at(b, fmax(y, next) + 2 * TOUCH);

        for (size_t k = band_at(b, fmin(y, next) - 2 * TOUCH); k <= last; k++) {
            if (edge)
                edge[end[k]] = i;
            end[k]++;
        }
    }
}

static double climb(const struct ring *r)
{
    double sum = 0;

    for (size_t i = 0; i < r->n; i++)
        sum += fabs(ring_next(r, i).y - r->at[i].y);
    return sum;
}

/* Makes as many bands as list each edge about twice. The ring is not copied. */
static struct bands bands_of(const struct ring *r)
{
    struct bands b = { .ring = *r, .box = box_of_points(r->at, r->n) };
    double height = b.box.y1 - b.box.y0, sum = climb(r);

    b.n = height > 0 && isfinite(sum) ? 1 + (size_t)((double)r->n * (height / sum)) : 1;
    b.height = fmax(height / (double)b.n, 4 * TOUCH);
    b.start = memory_take((b.n + 2) * sizeof *b.start);
    for (size_t k = 0; k < b.n + 2; k++)
        b.start[k] = 0;
    list_edges(&b, b.start + 2, NULL);
    for (size_t k = 2; k < b.n + 2; k++)
        b.start[k] += b.start[k - 1];
    b.edge = memory_take((b.start[b.n + 1] + 1) * sizeof *b.edge);
    list_edges(&b, b.start + 1, b.edge);
    return b;
}

static void bands_drop(struct bands *b)
{
    free(b->start);
    free(b->edge);
}

static double distance_to_edge(struct point a, struct point b, struct point p)
{
    double dx = b.x - a.x, dy = b.y - a.y, length2 = dx * dx + dy * dy, t = 0;

    if (length2 > 0)
        t = fmin(1, fmax(0, ((p.x - a.x) * dx + (p.y - a.y) * dy) / length2));
    return hypot(a.x + t * dx - p.x, a.y + t * dy - p.y);
}

/* Inside, and not merely on the edge. */
static bool well_inside(const struct bands *in, struct point p)
{
    size_t band = band_at(in, p.y);
    bool inside = false;

    for (size_t k = in->start[band]; k < in->start[band + 1]; k++) {
        struct point a = in->ring.at[in->edge[k]], b = ring_next(&in->ring, in->edge[k]);

        if ((a.y > p.y) != (b.y > p.y) && p.x < a.x + (b.x - a.x) * ((p.y - a.y) / (b.y - a.y)))
            inside = !inside;
    }
    for (size_t k = in->start[band]; k < in->start[band + 1] && inside; k++)
        inside = distance_to_edge(in->ring.at[in->edge[k]], ring_next(&in->ring, in->edge[k]), p) >
                 TOUCH;
    return inside;
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

/* Finds where the segment a-b meets the ring's edges and corners, as parameters 0..1; at most 2 for
 * each listed edge. An extra place does no harm, so nearly parallel lines need no special case. */
static size_t meeting_places(struct point a, struct point b, const struct bands *in, double *t)
{
    double dx = b.x - a.x, dy = b.y - a.y, length2 = dx * dx + dy * dy;
    size_t last = in->start[band_at(in, fmax(a.y, b.y)) + 1], n = 0;

    for (size_t k = in->start[band_at(in, fmin(a.y, b.y))]; k < last; k++) {
        struct point p = in->ring.at[in->edge[k]], q = ring_next(&in->ring, in->edge[k]);
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

/* True if a stretch of the outline of `r` runs inside `in`. */
static bool runs_inside(const struct ring *r, const struct bands *in)
{
    double *t = memory_take((2 * in->start[in->n] + 2) * sizeof *t);
    bool found = false;

    for (size_t i = 0; i < r->n && !found; i++) {
        struct point a = r->at[i], b = ring_next(r, i);
        struct box edge = box_of_points((struct point[]){ a, b }, 2);
        size_t n;

        if ((a.x == b.x && a.y == b.y) || edge.x0 > in->box.x1 || edge.x1 < in->box.x0 ||
            edge.y0 > in->box.y1 || edge.y1 < in->box.y0)
            continue;
        n = meeting_places(a, b, in, t);
        t[n++] = 0;
        t[n++] = 1;
        qsort(t, n, sizeof *t, by_value);
        /* Between two neighbouring places the segment is all inside or all outside. */
        for (size_t k = 1; k < n && !found; k++) {
            double m = (t[k - 1] + t[k]) / 2;

            found = t[k - 1] >= 0 && t[k] <= 1 && t[k] > t[k - 1] &&
                    well_inside(in, (struct point){ a.x + (b.x - a.x) * m, a.y + (b.y - a.y) * m });
        }
    }
    free(t);
    return found;
}

/* Finds the middle of the first inner interval on the line y. `x` has room for n numbers. */
static bool find_inner_point(const struct ring *r, double y, double *x, struct point *p)
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

/* True if two rings share area although their outlines do not enter each other. Then they are the
 * same region, or at least both contain some inner point. */
static bool same_ground(const struct bands *a, const struct bands *b)
{
    double *x = memory_take((a->ring.n + 1) * sizeof *x);
    bool found = false;
    struct point p;

    for (int i = 1; i < 8 && !found; i++)
        found = find_inner_point(&a->ring, a->box.y0 + (a->box.y1 - a->box.y0) * i / 8, x, &p) &&
                well_inside(a, p) && well_inside(b, p);
    free(x);
    return found;
}

/* With x and y changed over; to be freed. */
static struct ring turned(const struct ring *r)
{
    struct ring t = { .at = memory_take((r->n + 1) * sizeof *t.at), .n = r->n };

    for (size_t i = 0; i < r->n; i++)
        t.at[i] = (struct point){ r->at[i].y, r->at[i].x };
    return t;
}

static bool bands_overlap(const struct ring *a, const struct ring *b)
{
    struct bands in_a = bands_of(a), in_b = bands_of(b);
    bool yes = runs_inside(a, &in_b) || runs_inside(b, &in_a) || same_ground(&in_a, &in_b);

    bands_drop(&in_a);
    bands_drop(&in_b);
    return yes;
}

/* Bands are perpendicular to the direction in which both rings extend less, measured in their own
 * heights. */
static bool pair_overlaps(const struct ring *a, const struct ring *b)
{
    struct box box = rings_bounds(&(struct rings){ (struct ring[]){ *a, *b }, 2 });
    struct ring t[2] = { turned(a), turned(b) };
    double down = (climb(a) + climb(b)) * (box.x1 - box.x0);
    double along = (climb(&t[0]) + climb(&t[1])) * (box.y1 - box.y0);
    bool yes = down > along ? bands_overlap(&t[0], &t[1]) : bands_overlap(a, b);

    free(t[0].at);
    free(t[1].at);
    return yes;
}

/* A ring's bounds, from lo to hi along the way that is swept, and across. */
struct ring_bounds {
    const struct ring *ring;
    double lo, hi, from, to;
};

static int by_lo(const void *a, const void *b)
{
    double x = ((const struct ring_bounds *)a)->lo, y = ((const struct ring_bounds *)b)->lo;

    return (x > y) - (x < y);
}

/* Many rings are side by side in one direction, and overlap in the other one. The sweep goes along
 * the direction in which they are shorter, so that few rings meet at a time. */
static void bound_rings(const struct rings *r, struct ring_bounds *to)
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

        to[i] = down ? (struct ring_bounds){ &r->ring[i], b.y0, b.y1, b.x0, b.x1 }
                     : (struct ring_bounds){ &r->ring[i], b.x0, b.x1, b.y0, b.y1 };
    }
    qsort(to, r->n, sizeof *to, by_lo);
}

bool rings_overlap(const struct rings *r)
{
    struct ring_bounds *b;
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
