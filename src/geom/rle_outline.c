/* rle: the outlines of a mask along the edges of its pixels. */
#include "geom/rle.h"

#include "geom/runs.h"

#include <stdlib.h>
#include <string.h>

/* Flags of a pixel in the local bitmap. */
enum { SET = 1, TOP_WALKED = 2 };

/* The mask's bounds as a bitmap with one unset pixel all round: pixel (x0 + x, y0 + y) of the
 * mask is at[(y + 1) * stride + x + 1]. */
struct local {
    uint8_t *at;
    size_t stride;
    int x0, y0, width, height;
};

struct outlines {
    struct arena *arena;
    struct ring *ring;
    bool *hole;
    size_t n, room;
};

static struct local local_of(const struct rle *m)
{
    struct box b = rle_bounds(m);
    struct local l = {
        .x0 = (int)b.x0, .y0 = (int)b.y0, .width = (int)(b.x1 - b.x0), .height = (int)(b.y1 - b.y0)
    };
    struct columns c = columns_of(m);
    size_t size;

    l.stride = (size_t)l.width + 2;
    size = l.stride * ((size_t)l.height + 2);
    l.at = memset(memory_take(size), 0, size);
    for (int x = 0; x < l.width; x++)
        for (size_t i = c.start[l.x0 + x]; i < c.start[l.x0 + x + 1]; i += 2)
            for (int y = c.row[i] - l.y0; y < c.row[i + 1] - l.y0; y++)
                l.at[(size_t)(y + 1) * l.stride + (size_t)x + 1] = SET;
    columns_drop(&c);
    return l;
}

static uint8_t *pixel(const struct local *l, int x, int y)
{
    return &l->at[(size_t)(y + 1) * l->stride + (size_t)(x + 1)];
}

/* Walks one outline, with the mask to the right, from the corner (x, y) at which it turns to the
 * right of the picture. Stores the corners if `at` is not NULL. Returns their number, and in
 * `*area` the enclosed area, negative for a hole. Where pixels touch only at a corner it turns
 * right, and so stays with its own pixel. */
static size_t walk(const struct local *l, int x, int y, struct point *at, double *area)
{
    static const int dx[] = { 1, 0, -1, 0 }, dy[] = { 0, 1, 0, -1 };
    /* The pixels ahead to the left and right of a corner, by direction. */
    static const int lx[] = { 0, 0, -1, -1 }, ly[] = { -1, 0, 0, -1 };
    int direction = 0, fx = x, fy = y;
    size_t n = 0;

    *area = 0;
    do {
        bool turned = false;

        if (at)
            at[n] = (struct point){ l->x0 + x, l->y0 + y };
        n++;
        while (!turned) {
            int right = (direction + 1) % 4;

            if (direction == 0)
                *pixel(l, x, y) |= TOP_WALKED;
            x += dx[direction];
            y += dy[direction];
            *area -= (double)dx[direction] * y;
            turned = true;
            if (!(*pixel(l, x + lx[right], y + ly[right]) & SET))
                direction = right;
            else if (*pixel(l, x + lx[direction], y + ly[direction]) & SET)
                direction = (direction + 3) % 4;
            else
                turned = false;
        }
    } while (x != fx || y != fy || direction != 0);
    return n;
}

static void outlines_add(struct outlines *o, struct ring r, bool hole)
{
    if (o->n == o->room) {
        struct ring *ring = ARENA_ARRAY(o->arena, struct ring, 2 * o->room + 4);
        bool *flags = ARENA_ARRAY(o->arena, bool, 2 * o->room + 4);

        for (size_t i = 0; i < o->n; i++) {
            ring[i] = o->ring[i];
            flags[i] = o->hole[i];
        }
        o->ring = ring;
        o->hole = flags;
        o->room = 2 * o->room + 4;
    }
    o->ring[o->n] = r;
    o->hole[o->n++] = hole;
}

struct rings rle_to_rings(struct arena *arena, const struct rle *m, bool **hole)
{
    struct outlines o = { .arena = arena };
    struct local l;

    if (rle_area(m) && rle_total(m)) {
        l = local_of(m);
        /* Every outline has a top edge; the first one met row by row begins at a corner. */
        for (int y = 0; y < l.height; y++)
            for (int x = 0; x < l.width; x++) {
                struct ring r = { 0 };
                double area;

                if (*pixel(&l, x, y) != SET || (*pixel(&l, x, y - 1) & SET))
                    continue;
                r.n = walk(&l, x, y, NULL, &area);
                r.at = ARENA_ARRAY(arena, struct point, r.n);
                walk(&l, x, y, r.at, &area);
                outlines_add(&o, r, area < 0);
            }
        free(l.at);
    }
    if (hole)
        *hole = o.hole;
    return (struct rings){ o.ring, o.n };
}
