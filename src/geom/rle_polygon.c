/* rle: converts polygons to masks, like maskApi's rleFrPoly.
 *
 * Vertices are rounded to fifths of a pixel. Each edge is walked in steps of a fifth along its
 * longer direction, with (int)(start + t * slope + .5) across it. The walk crosses the middle of a
 * pixel column when it steps from fifth 5x + 2 to 5x + 3. Then the column changes at the higher of
 * the two points. maskApi walks all edges and then keeps few of the points. Here only those points
 * are computed, with the same arithmetic, so that neither memory nor time grow with the parts
 * outside the frame. */
#include "geom/rle.h"

#include "geom/runs.h"

#include <math.h>
#include <stdlib.h>

/* Coordinates beyond this limit, in pixels, are clamped to it; callers refuse a tenth of it. */
static const double FAR_OUT = 1e8;

/* Places, x * height + y, where a column changes between 0 and 1. */
struct places {
    uint64_t *at;
    size_t n, room;
};

/* A vertex, in fifths. */
struct fifth {
    int64_t x, y;
};

static int by_place(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

    return (x > y) - (x < y);
}

/* Sorts, and removes pairs of equal places: two changes cancel. */
static void settle(struct places *p)
{
    size_t kept = 0;

    qsort(p->at, p->n, sizeof *p->at, by_place);
    for (size_t i = 0; i < p->n; i++)
        if (kept && p->at[kept - 1] == p->at[i])
            kept--;
        else
            p->at[kept++] = p->at[i];
    p->n = kept;
}

static void places_add(struct places *p, uint64_t at)
{
    /* Settling before growing keeps a ring of any length within the pixels of the frame. */
    if (p->n == p->room) {
        if (p->n)
            settle(p);
        if (p->n >= p->room / 2) {
            p->room = 2 * p->room + 256;
            p->at = memory_grow(p->at, p->room * sizeof *p->at);
        }
    }
    p->at[p->n++] = at;
}

static int64_t to_fifths(double pixels)
{
    if (isnan(pixels))
        return 0;
    return (int64_t)(5 * fmin(FAR_OUT, fmax(-FAR_OUT, pixels)) + .5);
}

/* The row, 0..height, at which the column changes for the higher point's y in fifths. */
static void add_change(struct places *p, struct frame f, int x, int64_t fifths)
{
    double y = ((double)fifths + .5) / 5 - .5;

    y = ceil(y < 0 ? 0 : y > f.height ? f.height : y);
    places_add(p, (uint64_t)x * (uint64_t)f.height + (uint64_t)y);
}

/* The columns of the frame whose middles lie between the fifths lo < hi. */
static bool columns_between(struct frame f, int64_t lo, int64_t hi, int *first, int *last)
{
    int64_t from = lo <= 2 ? 0 : (lo + 2) / 5, to = hi < 3 ? -1 : (hi - 3) / 5;

    *first = from > f.width ? f.width : (int)from;
    *last = to >= f.width ? f.width - 1 : (int)to;
    return *first <= *last;
}

static int64_t walk(int64_t start, double slope, int64_t t)
{
    return (int64_t)((double)start + slope * (double)t + .5);
}

/* An edge at least as wide as high, from left to right: the walk has one point each fifth of x. */
static void add_flat_edge(struct places *p, struct frame f, struct fifth a, struct fifth b)
{
    double slope = (double)(b.y - a.y) / (double)(b.x - a.x);
    int first, last;

    if (!columns_between(f, a.x, b.x, &first, &last))
        return;
    for (int x = first; x <= last; x++) {
        int64_t t = 5 * (int64_t)x + 2 - a.x;
        int64_t before = walk(a.y, slope, t), after = walk(a.y, slope, t + 1);

        add_change(p, f, x, before < after ? before : after);
    }
}

/* Handles an edge that is higher than wide, from top to bottom. The walk has one point per fifth of
 * y. Since x is monotone along the edge, a binary search finds the step over a column's middle. */
static void add_steep_edge(struct places *p, struct frame f, struct fifth a, struct fifth b)
{
    int64_t height = b.y - a.y;
    double slope = (double)(b.x - a.x) / (double)height;
    int64_t start = walk(a.x, slope, 0), end = walk(a.x, slope, height);
    bool grows = start < end;
    int first, last;

    if (!columns_between(f, grows ? start : end, grows ? end : start, &first, &last))
        return;
    for (int x = first; x <= last; x++) {
        int64_t middle = 5 * (int64_t)x + 2, before = 0, after = height;

        while (after - before > 1) {
            int64_t t = before + (after - before) / 2;

            if ((walk(a.x, slope, t) > middle) == grows)
                after = t;
            else
                before = t;
        }
        add_change(p, f, x, before + a.y);
    }
}

static void add_edge(struct places *p, struct frame f, struct fifth a, struct fifth b)
{
    int64_t dx = llabs(b.x - a.x), dy = llabs(b.y - a.y);

    /* Both directions of an edge give the same points. */
    if (dx >= dy && dx > 0)
        add_flat_edge(p, f, a.x < b.x ? a : b, a.x < b.x ? b : a);
    else if (dy > 0)
        add_steep_edge(p, f, a.y < b.y ? a : b, a.y < b.y ? b : a);
}

static struct rle from_ring(struct arena *arena, const struct ring *r, struct frame f)
{
    struct places p = { 0 };
    struct runs out = { .arena = arena };
    uint64_t last = 0, total = (uint64_t)f.width * (uint64_t)f.height;

    for (size_t i = 0; i < r->n; i++) {
        struct point a = r->at[i], b = r->at[i + 1 < r->n ? i + 1 : 0];

        add_edge(&p, f, (struct fifth){ to_fifths(a.x), to_fifths(a.y) },
                 (struct fifth){ to_fifths(b.x), to_fifths(b.y) });
    }
    if (p.n)
        settle(&p);
    for (size_t i = 0; i < p.n; i++) {
        runs_add(&out, i & 1, p.at[i] - last);
        last = p.at[i];
    }
    runs_add(&out, p.n & 1, total - last);
    free(p.at);
    return runs_end(&out, f.height, f.width);
}

struct rle rle_from_rings(struct arena *arena, const struct rings *r, struct frame f)
{
    struct rle *each, empty = { f.height, f.width, NULL, 0 };

    if (!rle_total(&empty))
        return empty;
    if (!r->n)
        return from_ring(arena, &(struct ring){ 0 }, f);
    each = ARENA_ARRAY(arena, struct rle, r->n);
    for (size_t i = 0; i < r->n; i++)
        each[i] = from_ring(arena, &r->ring[i], f);
    return r->n == 1 ? each[0] : rle_merge(arena, each, r->n, false);
}
