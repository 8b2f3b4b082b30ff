/* polygon: whole rectangles cut out of rings, exactly, into as many pieces as there are. */
#include "geom/ring_join.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The area, in square pixels, from which a removal counts as a cut. */
static const double HAIR = 1e-9;

/* The sides of a box in the order in which its edge is walked: from (x0, y0) clockwise on the
 * screen. Side s goes from corner s along `along`, and what is outside lies to `outward`. A place
 * on the edge is a number: side s at a share f of it is s + f. */
static const struct {
    struct point along, outward;
} sides[4] = { { { 1, 0 }, { 0, -1 } },
               { { 0, 1 }, { 1, 0 } },
               { { -1, 0 }, { 0, 1 } },
               { { 0, -1 }, { -1, 0 } } };

/* The points of a ring that are not in the box (edge and all), and where it crosses its edge. */
enum node_kind { OUTSIDE, LEAVES, RETURNS };
struct node {
    enum node_kind kind;
    struct point at;
    struct point to; /* of a crossing: the direction in which the ring is outside */
};

/* A stretch of nodes: n of them from `first` on, in which the ring leaves, is outside and returns.
 */
struct tour {
    size_t first, n;
    size_t rank[2]; /* of where it leaves and returns among all crossings along the edge */
    bool used;
};

struct crossing {
    double place;
    struct point to; /* the ring's way outside: by its angle equal places are met in the walk */
    size_t tour;
    bool returns;
};

struct cut_state {
    struct arena *arena;
    const struct ring *ring;
    struct box box;
    struct node *node;
    size_t n_nodes;
    struct tour *tour;
    size_t n_tours;
    struct crossing *crossing; /* two a tour, in order */
    bool first_inside;         /* does the ring's inside lie between crossings 0 and 1? */
};

static bool in_box(struct box b, struct point p)
{
    return p.x >= b.x0 && p.x <= b.x1 && p.y >= b.y0 && p.y <= b.y1;
}

static struct point corner(struct box b, int i)
{
    i = (i % 4 + 4) % 4;
    return (struct point){ i == 1 || i == 2 ? b.x1 : b.x0, i >= 2 ? b.y1 : b.y0 };
}

static double between(double v, double lo, double hi)
{
    return fmin(hi, fmax(lo, v));
}

/* --- where a ring crosses the edge --- */

/* Where the line from a to b, as t from 0 on, comes into the box and goes out of it, and by which
 * side. */
struct span {
    double t[2];
    int side[2];
};

static void narrow(struct span *s, double from, double length, const double limit[2],
                   const int side[2])
{
    for (int i = 0; i < 2; i++) {
        double t = (limit[i] - from) / length;
        bool goes_out = (length > 0) == (i == 1);

        if (goes_out ? t < s->t[1] : t > s->t[0]) {
            s->t[goes_out] = t;
            s->side[goes_out] = side[i];
        }
    }
}

/* False when the line passes by; a box that is touched at a corner is passed by. */
static bool find_span(struct box b, struct point from, struct point to, struct span *s)
{
    double dx = to.x - from.x, dy = to.y - from.y;

    *s = (struct span){ { -INFINITY, INFINITY }, { 0, 0 } };
    if ((dx == 0 && (from.x < b.x0 || from.x > b.x1)) ||
        (dy == 0 && (from.y < b.y0 || from.y > b.y1)))
        return false;
    if (dx != 0)
        narrow(s, from.x, dx, (double[]){ b.x0, b.x1 }, (int[]){ 3, 1 });
    if (dy != 0)
        narrow(s, from.y, dy, (double[]){ b.y0, b.y1 }, (int[]){ 0, 2 });
    return s->t[0] < s->t[1] && s->t[0] < 1 && s->t[1] > 0;
}

/* On the edge of the box to the bit. */
static struct point span_end(struct box b, struct point from, struct point to, const struct span *s,
                             int end)
{
    double t = s->t[end];
    struct point p = { between(from.x + t * (to.x - from.x), b.x0, b.x1),
                       between(from.y + t * (to.y - from.y), b.y0, b.y1) };

    if (s->side[end] % 2)
        p.x = s->side[end] == 1 ? b.x1 : b.x0;
    else
        p.y = s->side[end] == 0 ? b.y0 : b.y1;
    return p;
}

static void add_node(struct cut_state *c, enum node_kind kind, struct point at, struct point from,
                     struct point to)
{
    c->node[c->n_nodes++] =
        (struct node){ .kind = kind, .at = at, .to = { to.x - from.x, to.y - from.y } };
}

/* Both beyond the same side of the box. */
static bool misses_box(struct box b, struct point p, struct point q)
{
    return (p.x < b.x0 && q.x < b.x0) || (p.x > b.x1 && q.x > b.x1) || (p.y < b.y0 && q.y < b.y0) ||
           (p.y > b.y1 && q.y > b.y1);
}

static void add_edge(struct cut_state *c, struct point a, struct point b)
{
    struct span s;
    bool in_a, in_b, meets;

    if (misses_box(c->box, a, b)) { /* most do */
        add_node(c, OUTSIDE, a, a, a);
        return;
    }
    in_a = in_box(c->box, a);
    in_b = in_box(c->box, b);
    if (in_a && in_b)
        return;
    meets = find_span(c->box, a, b, &s);
    if (!in_a)
        add_node(c, OUTSIDE, a, a, a);
    if (!in_a && (in_b || meets))
        add_node(c, RETURNS, meets ? span_end(c->box, a, b, &s, 0) : b, b, a);
    if (!in_b && (in_a || meets))
        add_node(c, LEAVES, meets ? span_end(c->box, a, b, &s, 1) : a, a, b);
}

/* Turned so that it begins where the ring leaves the box. False when it never does. */
static bool find_tours(struct cut_state *c)
{
    const struct ring *r = c->ring;
    struct node *in_order;
    size_t start = 0;

    c->node = ARENA_ARRAY(c->arena, struct node, 3 * r->n);
    for (size_t i = 0; i < r->n; i++)
        add_edge(c, r->at[i], r->at[i + 1 < r->n ? i + 1 : 0]);
    while (start < c->n_nodes && c->node[start].kind != LEAVES)
        start++;
    if (start == c->n_nodes)
        return false;
    in_order = ARENA_ARRAY(c->arena, struct node, c->n_nodes);
    c->tour = ARENA_ARRAY(c->arena, struct tour, c->n_nodes / 2);
    for (size_t i = 0; i < c->n_nodes; i++) {
        in_order[i] = c->node[(start + i) % c->n_nodes];
        if (in_order[i].kind == LEAVES)
            c->tour[c->n_tours++].first = i;
        c->tour[c->n_tours - 1].n++;
    }
    c->node = in_order;
    return true;
}

/* --- the order along the edge --- */

static double place_of(struct box b, struct point p)
{
    if (p.y == b.y0 && p.x < b.x1)
        return (p.x - b.x0) / (b.x1 - b.x0);
    if (p.x == b.x1 && p.y < b.y1)
        return 1 + (p.y - b.y0) / (b.y1 - b.y0);
    if (p.y == b.y1 && p.x > b.x0)
        return 2 + (b.x1 - p.x) / (b.x1 - b.x0);
    return 3 + (b.y1 - p.y) / (b.y1 - b.y0);
}

/* Returns the angle from where the walk comes from to the direction, turning through the outside.
 */
static double angle_of(double place, struct point to)
{
    int s = (int)place;
    int side = place == s ? (s + 3) % 4 : s; /* a corner is come to by the side before it */
    struct point along = sides[side].along, outward = sides[side].outward;
    double angle = atan2(to.x * outward.x + to.y * outward.y, -(to.x * along.x + to.y * along.y));

    return angle < 0 ? angle + 2 * 3.14159265358979323846 : angle;
}

static int by_place(const void *a, const void *b)
{
    const struct crossing *x = a, *y = b;
    double one, other;

    if (x->place != y->place)
        return x->place < y->place ? -1 : 1;
    one = angle_of(x->place, x->to);
    other = angle_of(y->place, y->to);
    if (one != other)
        return one < other ? -1 : 1;
    return x->tour != y->tour ? (x->tour < y->tour ? -1 : 1) : x->returns - y->returns;
}

/* True if the point just outside the edge at `place` is inside the ring. Parts of the ring on the
 * edge or in the box do not count. */
static bool is_inside_beyond_edge(const struct cut_state *c, double place)
{
    int side = (int)place % 4;
    struct point from = corner(c->box, side), to = corner(c->box, side + 1);
    double f = place - floor(place);
    struct point p = { from.x + f * (to.x - from.x), from.y + f * (to.y - from.y) };
    bool upright = side % 2 == 0, inside = false;
    double sign = upright ? sides[side].outward.y : sides[side].outward.x;

    for (size_t i = 0; i < c->ring->n; i++) {
        struct point a = c->ring->at[i], b = c->ring->at[i + 1 < c->ring->n ? i + 1 : 0];
        double line = upright ? p.x : p.y, limit = upright ? p.y : p.x;
        double a0 = upright ? a.x : a.y, b0 = upright ? b.x : b.y;
        double a1 = upright ? a.y : a.x, b1 = upright ? b.y : b.x;

        if ((a0 > line) != (b0 > line) &&
            sign * (a1 + (b1 - a1) * ((line - a0) / (b0 - a0)) - limit) > 0)
            inside = !inside;
    }
    return inside;
}

static void order_crossings(struct cut_state *c)
{
    size_t n = 2 * c->n_tours, widest = 0;
    double width = -1;

    c->crossing = ARENA_ARRAY(c->arena, struct crossing, n);
    for (size_t i = 0; i < n; i++) {
        const struct tour *t = &c->tour[i / 2];
        const struct node *end = &c->node[i % 2 ? t->first + t->n - 1 : t->first];
        double place = place_of(c->box, end->at);

        c->crossing[i] = (struct crossing){ place, end->to, i / 2, i % 2 };
    }
    qsort(c->crossing, n, sizeof *c->crossing, by_place);
    for (size_t i = 0; i < n; i++) {
        double next = i + 1 < n ? c->crossing[i + 1].place : c->crossing[0].place + 4;

        c->tour[c->crossing[i].tour].rank[c->crossing[i].returns] = i;
        if (next - c->crossing[i].place > width) {
            width = next - c->crossing[i].place;
            widest = i;
        }
    }
    /* Each crossing goes from inside to outside, or the other way. */
    c->first_inside =
        is_inside_beyond_edge(c, c->crossing[widest].place + width / 2) != (widest % 2 == 1);
}

/* --- pieces --- */

static void walk_tour(const struct cut_state *c, const struct tour *t, bool forward,
                      struct ring *to)
{
    for (size_t k = 0; k < t->n; k++)
        ring_add(to, c->node[t->first + (forward ? k : t->n - 1 - k)].at);
}

/* Walks along the edge of the box, inside the ring, from one crossing to the next or previous one,
 * and returns that crossing. Adds at most four corners, none if there is no ring. */
static size_t walk_edge(const struct cut_state *c, size_t rank, struct ring *to)
{
    size_t n = 2 * c->n_tours;
    bool onward = c->first_inside == (rank % 2 == 0);
    size_t next = (onward ? rank + 1 : rank + n - 1) % n;
    double from = c->crossing[rank].place, until = c->crossing[next].place;

    if (onward) {
        until += rank + 1 == n ? 4 : 0;
        for (int k = (int)floor(from) + 1; k < until && to; k++)
            ring_add(to, corner(c->box, k));
    } else {
        until -= rank == 0 ? 4 : 0;
        for (int k = (int)ceil(from) - 1; k > until && to; k--)
            ring_add(to, corner(c->box, k));
    }
    return next;
}

/* Joins one piece: out on a tour, along the edge to the next tour, and so on until it closes. */
static struct ring join_tours(const struct cut_state *c, size_t first)
{
    struct ring piece = { .cut = true };
    size_t room = 0, i = first;
    bool forward = true;

    for (int pass = 0; pass < 2; pass++) {
        do {
            struct tour *t = &c->tour[i];
            size_t next;

            t->used = true;
            if (pass)
                walk_tour(c, t, forward, &piece);
            else
                room += t->n + 4;
            next = walk_edge(c, t->rank[forward], pass ? &piece : NULL);
            i = c->crossing[next].tour;
            forward = !c->crossing[next].returns;
        } while (i != first || !forward);
        if (!pass)
            piece.at = ARENA_ARRAY(c->arena, struct point, room);
    }
    ring_close(&piece);
    return piece;
}

/* Returns the x at which a ring around the box is cut in two. This is the edge of a pixel column,
 * near the middle of the box. A cut within a column leaves parts without a pixel's center, which
 * are dropped as slivers. A narrow box between two edges is cut in its middle. */
static double seam_of(struct box box)
{
    double middle = (box.x0 + box.x1) / 2, edge = floor(middle);

    if (edge < box.x0)
        edge = ceil(middle);
    return edge <= box.x1 ? edge : middle;
}

/* A ring that goes round the box would have a hole: it becomes two, left and right of a seam, and
 * both are cut. */
static void subtract(struct arena *, const struct ring *, struct box, struct box, bool,
                     struct pieces *);

static void subtract_in_halves(struct arena *arena, const struct ring *r, struct box box,
                               struct pieces *to)
{
    struct box all = box_of_points(r->at, r->n);
    double seam = seam_of(box);
    struct rings half[2] = {
        ring_clip(arena, r, (struct box){ all.x0 - 1, all.y0 - 1, seam, all.y1 + 1 }),
        ring_clip(arena, r, (struct box){ seam, all.y0 - 1, all.x1 + 1, all.y1 + 1 })
    };

    for (int i = 0; i < 2; i++)
        for (const struct ring *p = half[i].ring; p < half[i].ring + half[i].n; p++)
            subtract(arena, p, box_of_points(p->at, p->n), box, false, to);
}

/* The area of a self-crossing ring may stay the same although something was cut: what its halves
 * lose has opposite signs. */
static bool is_only_touched(struct arena *arena, const struct ring *r, struct box box,
                            const struct rings *left)
{
    return fabs(rings_area(left) - ring_area(r)) <= HAIR && !ring_clip(arena, r, box).n;
}

static void subtract(struct arena *arena, const struct ring *r, struct box bounds, struct box box,
                     bool whole, struct pieces *to)
{
    struct cut_state c = { .arena = arena, .ring = r, .box = box };
    struct pieces cut = { 0 };

    if (box_is_empty(box_intersect(bounds, box))) {
        pieces_add(arena, to, *r);
        return;
    }
    if (!find_tours(&c)) {
        if (c.n_nodes && whole && is_inside_beyond_edge(&c, 0.5))
            subtract_in_halves(arena, r, box, to);
        else if (c.n_nodes)
            pieces_add(arena, to, *r);
        return;
    }
    order_crossings(&c);
    for (size_t i = 0; i < c.n_tours; i++)
        if (!c.tour[i].used) {
            struct ring piece = join_tours(&c, i);

            if (!ring_is_sliver(&piece, r))
                pieces_add(arena, &cut, piece);
        }
    if (is_only_touched(arena, r, box, &cut.list))
        pieces_add(arena, to, *r);
    else if (rings_overlap(&cut.list)) /* of a ring that crosses itself, as in clipping */
        pieces_add(arena, to, rings_tied(arena, &cut.list));
    else
        for (size_t i = 0; i < cut.list.n; i++)
            pieces_add(arena, to, cut.list.ring[i]);
}

/* The boxes of `all` that the index lists. */
struct box_subset {
    const struct box *all;
    const size_t *index;
    size_t n;
};

/* Subtracts many boxes from one ring. The ring stays one under most of them, and its points grow.
 * So two arenas take turns for the current and the previous version. The ring's points are copied,
 * unless `shared` and no box touches the ring. */
static void subtract_all(struct arena *arena, const struct ring *r, struct box_subset over,
                         bool shared, struct pieces *to)
{
    struct arena turns[2] = { 0 };
    struct rings now = { (struct ring *)r, 1 };
    size_t *left = memory_take((over.n + 1) * sizeof *left), n = over.n;
    int turn = 0;

    if (n)
        memcpy(left, over.index, n * sizeof *left);
    n = boxes_meeting(over.all, left, n, box_of_points(r->at, r->n));
    while (n && now.n == 1) {
        struct ring *ring = &now.ring[0];
        struct box bounds = box_of_points(ring->at, ring->n);
        struct pieces cut = { 0 };

        arena_reset(&turns[turn]);
        subtract(&turns[turn], ring, bounds,
                 over.all[boxes_take_nearest(over.all, left, &n, bounds)], true, &cut);
        if (cut.list.n == 1 && cut.list.ring[0].at == ring->at)
            continue;
        now = cut.list;
        turn = !turn;
    }
    if (now.n == 1)
        pieces_add(arena, to,
                   shared && now.ring[0].at == r->at ? *r : ring_copy(arena, &now.ring[0]));
    for (size_t i = 0; i < now.n && now.n > 1; i++)
        subtract_all(arena, &now.ring[i], (struct box_subset){ over.all, left, n }, false, to);
    arena_drop(&turns[0]);
    arena_drop(&turns[1]);
    free(left);
}

struct rings rings_subtract(struct arena *arena, const struct rings *r, const struct box *box,
                            size_t n)
{
    size_t *index = indices_of(n);
    struct pieces left = { 0 };

    for (size_t i = 0; i < r->n; i++)
        subtract_all(arena, &r->ring[i], (struct box_subset){ box, index, n }, true, &left);
    free(index);
    return left.list;
}
