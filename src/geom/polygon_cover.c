/* polygon: how much of some rings lies under convex ones. */
#include "geom/ring_join.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static double signed_area(const struct ring *r)
{
    double sum = 0;

    for (size_t i = 2; i < r->n; i++) {
        struct point o = r->at[0], a = r->at[i - 1], b = r->at[i];

        sum += (a.x - o.x) * (b.y - o.y) - (a.y - o.y) * (b.x - o.x);
    }
    return sum / 2;
}

/* Cut a ring along the line a-b in two rings, after Sutherland and Hodgman. A side in several
 * pieces comes as one ring with bridges along the line; they enclose nothing, so signed areas
 * stay right, and areas are all that is asked of these rings. */
static void split(struct arena *arena, const struct ring *r, struct point a, struct point b,
                  struct ring *left, struct ring *right)
{
    double last = 0;

    *left = (struct ring){ .at = ARENA_ARRAY(arena, struct point, 2 * r->n) };
    *right = (struct ring){ .at = ARENA_ARRAY(arena, struct point, 2 * r->n) };
    for (size_t i = 0; i <= r->n; i++) {
        struct point p = r->at[i < r->n ? i : 0];
        double side = (b.x - a.x) * (p.y - a.y) - (b.y - a.y) * (p.x - a.x);

        if (i && ((last < 0 && side > 0) || (last > 0 && side < 0))) {
            struct point q = r->at[i - 1];
            double t = last / (last - side);
            struct point cut = { q.x + (p.x - q.x) * t, q.y + (p.y - q.y) * t };

            left->at[left->n++] = right->at[right->n++] = cut;
        }
        if (i < r->n && side <= 0)
            left->at[left->n++] = p;
        if (i < r->n && side >= 0)
            right->at[right->n++] = p;
        last = side;
    }
}

/* Adds to `rest` the part of the piece that is not under the convex ring `over`. */
static void uncover(struct arena *arena, const struct ring *piece, const struct ring *over,
                    struct pieces *rest)
{
    bool clockwise = signed_area(over) > 0;
    struct ring under = *piece;
    size_t before = rest->list.n;

    for (size_t i = 0; i < over->n; i++) {
        struct point a = over->at[i], b = over->at[i + 1 < over->n ? i + 1 : 0];
        struct ring left, right;

        split(arena, &under, a, b, &left, &right);
        under = clockwise ? right : left;
        if (signed_area(clockwise ? &left : &right) != 0)
            pieces_add(arena, rest, clockwise ? left : right);
        if (under.n < 3)
            break;
    }
    /* They do not overlap after all: keep it whole rather than in splinters. */
    if (signed_area(&under) == 0) {
        rest->list.n = before;
        pieces_add(arena, rest, *piece);
    }
}

/* The convex rings that the index lists; `box` has their bounds. */
struct cover {
    const struct ring *ring;
    const struct box *box;
    const size_t *index;
    size_t n;
};

/* The signed areas of the pieces that are left sum to it. */
static double area_not_covered(const struct ring *piece, struct cover over)
{
    struct arena arena = { 0 };
    struct box bounds = box_of_points(piece->at, piece->n);
    struct pieces rest = { 0 };
    size_t *left = memory_take((over.n + 1) * sizeof *left), n = over.n;
    bool whole = true;
    double sum = 0;

    if (n)
        memcpy(left, over.index, n * sizeof *left);
    n = boxes_meeting(over.box, left, n, bounds);
    while (n && whole) {
        size_t next = boxes_take_nearest(over.box, left, &n, bounds);

        rest = (struct pieces){ 0 };
        arena_reset(&arena);
        uncover(&arena, piece, &over.ring[next], &rest);
        whole = rest.list.n == 1 && rest.list.ring[0].at == piece->at;
    }
    over.index = left;
    over.n = n;
    if (whole)
        sum = signed_area(piece);
    for (size_t i = 0; i < rest.list.n && !whole; i++)
        sum += area_not_covered(&rest.list.ring[i], over);
    arena_drop(&arena);
    free(left);
    return sum;
}

double rings_covered(const struct rings *r, const struct rings *over)
{
    double total = rings_area(r), rest = 0;
    struct box *box;
    size_t *index, n = 0;

    if (!(total > 0))
        return 0;
    box = memory_take((over->n + 1) * sizeof *box);
    index = indices_of(over->n);
    for (size_t i = 0; i < over->n; i++) {
        box[i] = box_of_points(over->ring[i].at, over->ring[i].n);
        if (signed_area(&over->ring[i]) != 0)
            index[n++] = i;
    }
    for (size_t i = 0; i < r->n; i++)
        rest += fabs(area_not_covered(&r->ring[i], (struct cover){ over->ring, box, index, n }));
    free(box);
    free(index);
    return fmin(1, fmax(0, 1 - rest / total));
}
