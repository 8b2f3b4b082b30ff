/* box: the part of a box that others do not cover. */
#include "geom/geom.h"

#include <math.h>
#include <stdlib.h>

/* A box as seen from the side that moves inwards. `lo` and `hi` are its extent across the movement;
 * its near and far end are along the movement. */
struct bar {
    double near, far, lo, hi;
};

enum side { LEFT, TOP, RIGHT, BOTTOM };

static struct bar seen_from(enum side side, struct box b)
{
    switch (side) {
    case LEFT:
        return (struct bar){ b.x0, b.x1, b.y0, b.y1 };
    case TOP:
        return (struct bar){ b.y0, b.y1, b.x0, b.x1 };
    case RIGHT:
        return (struct bar){ -b.x1, -b.x0, b.y0, b.y1 };
    default:
        return (struct bar){ -b.y1, -b.y0, b.x0, b.x1 };
    }
}

static int by_lo(const void *a, const void *b)
{
    double x = ((const struct bar *)a)->lo, y = ((const struct bar *)b)->lo;

    return (x > y) - (x < y);
}

/* Returns how far from `at` the bars, which are sorted, cover everything from lo to hi; `at` if
 * they do not cover it there. */
static double covered_until(const struct bar *bar, size_t n, double at, double lo, double hi)
{
    double until = INFINITY;

    for (size_t i = 0; i < n && bar[i].lo <= lo && lo < hi; i++)
        if (bar[i].near <= at && bar[i].far > at && bar[i].hi > lo) {
            lo = bar[i].hi;
            until = fmin(until, bar[i].far);
        }
    return lo >= hi ? until : at;
}

/* Returns the first uncovered line across the box, seen from a side; its far end or beyond if there
 * is none. `bar` has room for n. */
static double first_uncovered(enum side side, struct box b, const struct box *over, size_t n,
                              struct bar *bar)
{
    struct bar whole = seen_from(side, b);
    double at = whole.near, next = at;
    bool covered = false; /* does a bar cover the near end of the lowest line? Seldom */

    for (size_t i = 0; i < n; i++) {
        bar[i] = seen_from(side, over[i]);
        covered |=
            bar[i].near <= at && bar[i].far > at && bar[i].lo <= whole.lo && bar[i].hi > whole.lo;
    }
    if (!covered)
        return at;
    qsort(bar, n, sizeof *bar, by_lo);
    do {
        at = next;
        next = covered_until(bar, n, at, whole.lo, whole.hi);
    } while (next > at && next < whole.far);
    return next;
}

struct box box_uncovered(struct box b, const struct box *over, size_t n)
{
    struct bar *room;
    struct box left = b, *met;
    size_t n_met = 0;

    if (box_is_empty(b))
        return b;
    met = memory_take((n + 1) * sizeof *met);
    for (size_t i = 0; i < n; i++)
        if (!box_is_empty(box_intersect(over[i], b)))
            met[n_met++] = over[i];
    room = memory_take((n_met + 1) * sizeof *room);
    left.x0 = first_uncovered(LEFT, b, met, n_met, room);
    left.y0 = first_uncovered(TOP, b, met, n_met, room);
    left.x1 = -first_uncovered(RIGHT, b, met, n_met, room);
    left.y1 = -first_uncovered(BOTTOM, b, met, n_met, room);
    free(room);
    free(met);
    return box_is_empty(left) ? (struct box){ b.x0, b.y0, b.x0, b.y0 } : left;
}
