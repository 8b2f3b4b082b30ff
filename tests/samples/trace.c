/* trace: the outline of a union of rings, found on a grid four times finer than the pixels. */
#include "shape.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define FINE 4
#define SLACK 0.3

struct grid {
    int w, h;
    uint8_t *set;
};

static bool grid_is_set(const struct grid *g, int x, int y)
{
    return x >= 0 && y >= 0 && x < g->w && y < g->h && g->set[(size_t)y * (size_t)g->w + (size_t)x];
}

static void grid_fill(struct grid *g, const struct ring *r)
{
    for (int y = 0; y < g->h; y++) {
        double x[128];
        int n = ring_crossings(r, (y + 0.5) / FINE, x, 128);

        for (int i = 0; i + 1 < n; i += 2)
            for (int k = (int)fmax(0, ceil(x[i] * FINE - 0.5));
                 k < g->w && k + 0.5 < x[i + 1] * FINE; k++)
                g->set[(size_t)y * (size_t)g->w + (size_t)k] = 1;
    }
}

/* Clears the piece that holds (x, y), so that the next search finds the next piece. */
static void grid_clear(struct grid *g, int x, int y)
{
    size_t room = (size_t)g->w * (size_t)g->h, n = 0;
    int *stack = malloc(room * 4 * sizeof *stack);

    if (!stack)
        abort();
    stack[n++] = y * g->w + x;
    while (n) {
        int at = stack[--n], cx = at % g->w, cy = at / g->w;

        if (!g->set[at])
            continue;
        g->set[at] = 0;
        if (grid_is_set(g, cx - 1, cy))
            stack[n++] = at - 1;
        if (grid_is_set(g, cx + 1, cy))
            stack[n++] = at + 1;
        if (grid_is_set(g, cx, cy - 1))
            stack[n++] = at - g->w;
        if (grid_is_set(g, cx, cy + 1))
            stack[n++] = at + g->w;
    }
    free(stack);
}

/* Walks the cracks between set and unset cells with the set ones on the right hand, from the top
 * left corner of the topmost cell; notes the middle of each crack. */
static size_t follow(const struct grid *g, int x0, int y0, struct pt *out, size_t room)
{
    static const int dx[] = { 1, 0, -1, 0 }, dy[] = { 0, 1, 0, -1 };
    /* The cell ahead on the left and on the right of a corner, for each direction. */
    static const int lx[] = { 0, 0, -1, -1 }, ly[] = { -1, 0, 0, -1 };
    static const int rx[] = { 0, -1, -1, 0 }, ry[] = { 0, 0, -1, -1 };
    int x = x0, y = y0, d = 0;
    size_t n = 0;

    do {
        if (n == room)
            abort();
        out[n++] = (struct pt){ (x + 0.5 * dx[d]) / FINE, (y + 0.5 * dy[d]) / FINE };
        x += dx[d];
        y += dy[d];
        if (!grid_is_set(g, x + rx[d], y + ry[d]))
            d = (d + 1) % 4;
        else if (grid_is_set(g, x + lx[d], y + ly[d]))
            d = (d + 3) % 4;
    } while (x != x0 || y != y0 || d != 0);
    return n;
}

static double distance_to_line(struct pt p, struct pt a, struct pt b)
{
    double length = hypot(b.x - a.x, b.y - a.y);

    if (length == 0)
        return hypot(p.x - a.x, p.y - a.y);
    return fabs((b.x - a.x) * (a.y - p.y) - (a.x - p.x) * (b.y - a.y)) / length;
}

/* Douglas and Peucker (1973) on at[first..last]; adds the kept points but for the last. */
static void simplify(const struct pt *at, size_t first, size_t last, struct ring *out)
{
    size_t far = first;
    double farthest = SLACK;

    for (size_t i = first + 1; i < last; i++) {
        double d = distance_to_line(at[i], at[first], at[last]);

        if (d > farthest) {
            farthest = d;
            far = i;
        }
    }
    if (far == first) {
        ring_add(out, at[first].x, at[first].y);
        return;
    }
    simplify(at, first, far, out);
    simplify(at, far, last, out);
}

static struct ring ring_simplified(struct pt *at, size_t n)
{
    struct ring out = { .n = 0 };
    size_t far = 0;

    for (size_t i = 1; i < n; i++)
        if (hypot(at[i].x - at[0].x, at[i].y - at[0].y) >
            hypot(at[far].x - at[0].x, at[far].y - at[0].y))
            far = i;
    at[n] = at[0];
    simplify(at, 0, far, &out);
    simplify(at, far, n, &out);
    return out;
}

void shape_trace(const struct shape *s, int w, int h, struct shape *out)
{
    struct grid g = { w * FINE, h * FINE, calloc((size_t)w * (size_t)h, FINE * FINE) };
    size_t room = 200000;
    struct pt *path = malloc((room + 1) * sizeof *path);

    if (!g.set || !path)
        abort();
    for (int i = 0; i < s->n; i++)
        grid_fill(&g, &s->ring[i]);
    out->n = 0;
    for (int y = 0; y < g.h; y++)
        for (int x = 0; x < g.w; x++)
            if (grid_is_set(&g, x, y)) {
                size_t n = follow(&g, x, y, path, room);

                grid_clear(&g, x, y);
                /* Crumbs of less than a pixel's rim do not belong to any outline. */
                if (n >= 4 * FINE)
                    shape_add(out, ring_simplified(path, n));
            }
    free(path);
    free(g.set);
}
