/* polygon_probe: rings measured along horizontal lines. */
#include "geom/polygon.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

/* A piece with at most this area, in square pixels, is ignored if rounding can produce one. */
static const double SLIVER = 1e-9;

/* Number of lines on which a ring whose area sums to nothing is searched for inside (see
 * ring_is_sliver). */
enum { PROBES = 16 };

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

/* Finds where the ring crosses the line y, from left to right. The even-odd inside is between the
 * first and second, third and fourth, ... crossing. `x` has room for as many numbers as the ring
 * has points. */
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
    double min = 16 * DBL_EPSILON * largest * (b.x1 - b.x0 + b.y1 - b.y0), sum = 0, *room;

    min = fmin(SLIVER, min);
    if (r->n < 3)
        return true;
    if (ring_area(r) > min)
        return false;
    room = memory_take(r->n * sizeof *room);
    for (int i = 0; i < PROBES; i++)
        sum += inside_at(r, b.y0 + (b.y1 - b.y0) * (i + 0.5) / PROBES, room);
    free(room);
    return !(sum * (b.y1 - b.y0) / PROBES > min);
}

/* Returns the first pixel center in a row at or after x. */
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
