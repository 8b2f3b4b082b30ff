/* polygon: how much of some rings lies under convex ones. */
#include "pieces.h"

#include <math.h>

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

    *left = (struct ring){ ARENA_ARRAY(arena, struct point, 2 * r->n), 0 };
    *right = (struct ring){ ARENA_ARRAY(arena, struct point, 2 * r->n), 0 };
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

static bool boxes_meet(const struct ring *a, const struct ring *b)
{
    return !box_is_empty(box_intersect(box_of_points(a->at, a->n), box_of_points(b->at, b->n)));
}

/* Add to `rest` what of the piece is not under the convex ring `over`. */
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
    /* Not met after all: better whole than in splinters. */
    if (signed_area(&under) == 0) {
        rest->list.n = before;
        pieces_add(arena, rest, *piece);
    }
}

/* The signed areas of pieces sum to it. */
static double area_not_covered(struct arena *arena, const struct ring *ring,
                               const struct rings *over)
{
    struct pieces now = { 0 };
    double sum = 0;

    pieces_add(arena, &now, *ring);
    for (size_t k = 0; k < over->n; k++) {
        struct pieces rest = { 0 };

        if (signed_area(&over->ring[k]) == 0)
            continue;
        for (size_t i = 0; i < now.list.n; i++)
            if (boxes_meet(&now.list.ring[i], &over->ring[k]))
                uncover(arena, &now.list.ring[i], &over->ring[k], &rest);
            else
                pieces_add(arena, &rest, now.list.ring[i]);
        now = rest;
    }
    for (size_t i = 0; i < now.list.n; i++)
        sum += signed_area(&now.list.ring[i]);
    return fabs(sum);
}

double rings_covered(struct arena *arena, const struct rings *r, const struct rings *over)
{
    double total = rings_area(r), rest = 0;

    if (!(total > 0))
        return 0;
    for (size_t i = 0; i < r->n; i++)
        rest += area_not_covered(arena, &r->ring[i], over);
    return fmin(1, fmax(0, 1 - rest / total));
}
