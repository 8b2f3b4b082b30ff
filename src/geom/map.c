/* map: moves points and outlines by a map. */
#include "geom/map.h"

#include <math.h>
#include <stdlib.h>

struct map map_invert(const struct map *map)
{
    return (struct map){ .forward = map->inverse,
                         .inverse = map->forward,
                         .field = map->field,
                         .inverted = map->field && !map->inverted };
}

struct point map_apply(const struct map *map, struct point p)
{
    if (!map->field)
        return mat3_apply(&map->forward, p);
    return map->inverted ? field_source(map->field, p) : field_target(map->field, p);
}

bool map_is_identity(const struct map *map)
{
    return !map->field && mat3_is_identity(&map->forward);
}

bool map_is_axis_aligned(const struct map *map)
{
    return !map->field && mat3_is_axis_aligned(&map->forward);
}

double map_scale_at(const struct map *map, struct point p)
{
    if (!map->field)
        return mat3_scale_at(&map->forward, p);
    if (map->inverted)
        return fabs(field_jacobian(map->field, p));
    return fabs(1 / field_jacobian(map->field, field_target(map->field, p)));
}

double map_scale(const struct map *map, struct frame in)
{
    return map_scale_at(map, (struct point){ in.width / 2., in.height / 2. });
}

/* --- bent edges --- */

/* A moved edge is taken in pieces no longer than this, in pixels; pieces that bend by more than
 * BEND are halved; and points less than FLAT away from the line between their neighbours go. */
static const double SHORTEST = 1, LONGEST = 4, BEND = 0.01, FLAT = 0.02;
enum { MAX_PIECES = 2048, HALVINGS = 4 };

/* Points being collected. */
struct path {
    struct point *at;
    size_t n, room;
};

static void path_add(struct path *p, struct point at)
{
    if (p->n == p->room) {
        p->room = 2 * p->room + 64;
        p->at = memory_grow(p->at, p->room * sizeof *p->at);
    }
    p->at[p->n++] = at;
}

static struct point between(struct point a, struct point b, double share)
{
    return (struct point){ a.x + share * (b.x - a.x), a.y + share * (b.y - a.y) };
}

/* Adds the points after `to_a`, up to and including `to_b`, to which the map moves a and b. */
static void add_piece(struct path *path, const struct map *map, struct point a, struct point to_a,
                      struct point b, struct point to_b, int halvings)
{
    struct point middle = between(a, b, 0.5), to = map_apply(map, middle);
    struct point straight = between(to_a, to_b, 0.5);

    if (halvings && hypot(to.x - straight.x, to.y - straight.y) > BEND) {
        add_piece(path, map, a, to_a, middle, to, halvings - 1);
        add_piece(path, map, middle, to, b, to_b, halvings - 1);
        return;
    }
    path_add(path, to_b);
}

static double distance(struct point a, struct point b, struct point p)
{
    double dx = b.x - a.x, dy = b.y - a.y, length2 = dx * dx + dy * dy, t = 0;

    if (length2 > 0)
        t = fmin(1, fmax(0, ((p.x - a.x) * dx + (p.y - a.y) * dy) / length2));
    return hypot(a.x + t * dx - p.x, a.y + t * dy - p.y);
}

/* Adds those points between the first and the last that the line needs (Douglas and Peucker). */
static void add_needed(struct path *to, const struct point *at, size_t first, size_t last)
{
    size_t worst = first;
    double far = FLAT;

    for (size_t i = first + 1; i < last; i++) {
        double off = distance(at[first], at[last], at[i]);

        if (off > far) {
            far = off;
            worst = i;
        }
    }
    if (worst == first)
        return;
    add_needed(to, at, first, worst);
    path_add(to, at[worst]);
    add_needed(to, at, worst, last);
}

/* The moved edge without its end. */
static void add_edge(struct path *to, struct path *scratch, const struct map *map, struct point a,
                     struct point b)
{
    const struct field *f = map->field;
    double piece = fmin(LONGEST, fmax(SHORTEST, fmin(f->x.step, f->y.step) / 2));
    double pieces = fmin(MAX_PIECES, ceil(hypot(b.x - a.x, b.y - a.y) / piece));
    int n = pieces > 1 ? (int)pieces : 1;
    /* At jumps of the map, halving does not end. */
    bool jumps = !map->inverted && field_folds(f, box_of_points((struct point[]){ a, b }, 2));
    int halvings = jumps ? 0 : HALVINGS;
    struct point from = a, moved = map_apply(map, a);

    scratch->n = 0;
    path_add(scratch, moved);
    for (int i = 1; i <= n; i++) {
        struct point next = i < n ? between(a, b, (double)i / n) : b;
        struct point next_moved = map_apply(map, next);

        add_piece(scratch, map, from, moved, next, next_moved, halvings);
        from = next;
        moved = next_moved;
    }
    path_add(to, scratch->at[0]);
    add_needed(to, scratch->at, 0, scratch->n - 1);
}

void map_ring(struct arena *arena, const struct map *map, struct ring *ring)
{
    struct path path = { 0 }, scratch = { 0 };

    if (!map->field) {
        rings_apply(&(struct rings){ ring, 1 }, &map->forward);
        return;
    }
    for (size_t i = 0; i < ring->n; i++)
        add_edge(&path, &scratch, map, ring->at[i], ring->at[i + 1 < ring->n ? i + 1 : 0]);
    *ring = ring_copy(arena, &(struct ring){ path.at, path.n, ring->cut });
    free(path.at);
    free(scratch.at);
}

void map_rings(struct arena *arena, const struct map *map, struct rings *r)
{
    for (size_t i = 0; i < r->n; i++)
        map_ring(arena, map, &r->ring[i]);
}

void map_rings_back(const struct map *map, struct rings *r)
{
    const struct map back = map_invert(map);

    if (!map->field)
        rings_apply(r, &map->inverse);
    for (size_t i = 0; map->field && i < r->n; i++)
        for (size_t k = 0; k < r->ring[i].n; k++)
            r->ring[i].at[k] = map_apply(&back, r->ring[i].at[k]);
}

/* --- convex rings --- */

static struct point middle_of(const struct ring *r)
{
    struct point sum = { 0, 0 };

    for (size_t i = 0; i < r->n; i++)
        sum = (struct point){ sum.x + r->at[i].x, sum.y + r->at[i].y };
    return (struct point){ sum.x / (double)r->n, sum.y / (double)r->n };
}

static struct ring triangle(struct arena *arena, struct point a, struct point b, struct point c)
{
    struct ring r = { .at = ARENA_ARRAY(arena, struct point, 3), .n = 3 };

    r.at[0] = a;
    r.at[1] = b;
    r.at[2] = c;
    return r;
}

void map_convex(struct arena *arena, const struct map *map, struct rings *rings)
{
    struct ring *more;
    size_t n = 0, room = 0;
    struct point *middle;

    if (!map->field || !rings->n) {
        map_rings(arena, map, rings);
        return;
    }
    middle = ARENA_ARRAY(arena, struct point, rings->n);
    for (size_t i = 0; i < rings->n; i++) {
        if (rings->ring[i].n)
            middle[i] = map_apply(map, middle_of(&rings->ring[i]));
        map_ring(arena, map, &rings->ring[i]);
        room += rings->ring[i].n;
    }
    more = ARENA_ARRAY(arena, struct ring, room);
    for (size_t i = 0; i < rings->n; i++)
        for (size_t k = 0; k < rings->ring[i].n; k++) {
            const struct ring *r = &rings->ring[i];

            if (r->n == 3) { /* nothing bent it */
                more[n++] = *r;
                break;
            }
            more[n++] = triangle(arena, middle[i], r->at[k], r->at[k + 1 < r->n ? k + 1 : 0]);
        }
    *rings = (struct rings){ more, n };
}

/* --- canvases --- */

struct box map_kept(const struct map *map, struct frame in, struct frame out)
{
    struct box old = box_of_frame(in), kept = box_of_frame(out);
    double slack = EDGE_SLACK;
    bool lost[4]; /* left, top, right, bottom */

    if (map->field ? map->inverted : !mat3_sees(&map->forward, old))
        return kept;
    if (map->field) {
        struct box shown = field_outline(map->field);

        lost[0] = shown.x0 > old.x0 + slack;
        lost[1] = shown.y0 > old.y0 + slack;
        lost[2] = shown.x1 < old.x1 - slack;
        lost[3] = shown.y1 < old.y1 - slack;
    } else {
        struct point corner[4];
        struct box moved;

        box_corners(old, corner);
        for (size_t i = 0; i < COUNTOF(corner); i++)
            corner[i] = mat3_apply(&map->forward, corner[i]);
        moved = box_of_points(corner, COUNTOF(corner));
        slack = fmin(slack, mat3_rounding(&map->forward, old));
        lost[0] = moved.x0 < kept.x0 - slack;
        lost[1] = moved.y0 < kept.y0 - slack;
        lost[2] = moved.x1 > kept.x1 + slack;
        lost[3] = moved.y1 > kept.y1 + slack;
    }
    return (struct box){ lost[0] ? kept.x0 : -INFINITY, lost[1] ? kept.y0 : -INFINITY,
                         lost[2] ? kept.x1 : INFINITY, lost[3] ? kept.y1 : INFINITY };
}
