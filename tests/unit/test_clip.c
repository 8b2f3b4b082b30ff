/* test_clip: checks a million random boxes and polygons after crops, pads, flips, turns, scales and
 * tilts against exact arithmetic. Boxes under whole-pixel maps use 128-bit fixed point; the rest
 * uses Sutherland and Hodgman's clipping in long double. Neither shares a line with src/geom.
 * Objects that are wholly outside are dropped, and objects inside are kept. The visibility is right
 * within 1e-9 plus the rounding of coordinates as doubles. This rounding is 40 units in the last
 * place of the largest coordinate, divided by the width of the cut part.
 *
 * Fields have no such truth: the farthest distance that they move a point tells what is outside and
 * inside.
 *
 * CLIP_CASES=1000000 in the environment sets how many of each of the three families are drawn. */
#include "clip_whole.h"

#include "base/rng.h"
#include "geom/grid.h"
#include "geom/map.h"

struct long_point {
    long double x, y;
};

struct long_ring {
    struct long_point at[ROOM];
    int n;
};

/* sign * (coordinate - limit) is not negative on the side that stays. */
static void clip_side(struct long_ring *r, bool vertical, long double sign, long double limit)
{
    struct long_ring out = { .n = 0 };

    for (int i = 0; i < r->n; i++) {
        struct long_point p = r->at[i], q = r->at[(i + 1) % r->n];
        long double dp = sign * ((vertical ? p.x : p.y) - limit);
        long double dq = sign * ((vertical ? q.x : q.y) - limit), share;

        if (dp >= 0)
            out.at[out.n++] = p;
        if ((dp > 0 && dq < 0) || (dp < 0 && dq > 0)) {
            share = dp / (dp - dq);
            out.at[out.n++] = vertical ? (struct long_point){ limit, p.y + share * (q.y - p.y) }
                                       : (struct long_point){ p.x + share * (q.x - p.x), limit };
        }
    }
    memcpy(r->at, out.at, (size_t)out.n * sizeof *r->at);
    r->n = out.n;
}

static long double long_area(const struct long_ring *r)
{
    long double sum = 0;

    for (int i = 2; i < r->n; i++)
        sum += (r->at[i - 1].x - r->at[0].x) * (r->at[i].y - r->at[0].y) -
               (r->at[i - 1].y - r->at[0].y) * (r->at[i].x - r->at[0].x);
    return fabsl(sum) / 2;
}

static void bounds_of(const struct long_ring *r, long double *x0, long double *y0, long double *x1,
                      long double *y1)
{
    *x0 = *y0 = INFINITY;
    *x1 = *y1 = -INFINITY;
    for (int i = 0; i < r->n; i++) {
        *x0 = fminl(*x0, r->at[i].x);
        *x1 = fmaxl(*x1, r->at[i].x);
        *y0 = fminl(*y0, r->at[i].y);
        *y1 = fmaxl(*y1, r->at[i].y);
    }
}

/* How thick a ring is: of a bridge along an edge, which has no area, nothing. */
static long double thickness(const struct long_ring *r)
{
    long double x0, y0, x1, y1, longest;

    if (r->n < 3)
        return 0;
    bounds_of(r, &x0, &y0, &x1, &y1);
    longest = fmaxl(x1 - x0, y1 - y0);
    return longest > 0 ? long_area(r) / longest : 0;
}

static struct long_point long_apply(const struct mat3 *map, struct long_point p)
{
    const double *m = map->m;
    long double w = m[6] * p.x + m[7] * p.y + m[8];

    return (struct long_point){ (m[0] * p.x + m[1] * p.y + m[2]) / w,
                                (m[3] * p.x + m[4] * p.y + m[5]) / w };
}

/* A ring of no more than rounding may be on either side of an edge, and its width nothing. */
static void judge_thin(const struct long_ring *r, struct frame f, struct truth *t)
{
    long double slack = 8 * t->rounding, x0, y0, x1, y1;

    if (thickness(r) > slack)
        return;
    bounds_of(r, &x0, &y0, &x1, &y1);
    t->unsure |= x0 <= f.width + slack && y0 <= f.height + slack && x1 >= -slack && y1 >= -slack;
    t->unsure |= x0 <= slack && x1 >= -slack;
    t->unsure |= x0 <= f.width + slack && x1 >= f.width - slack;
    t->unsure |= y0 <= slack && y1 >= -slack;
    t->unsure |= y0 <= f.height + slack && y1 >= f.height - slack;
}

/* True if a side of the old canvas, moved, is beyond the side of the new one; rounding may
 * decide. */
static bool is_lost(long double beyond, long double rounding, struct truth *t)
{
    t->unsure |= beyond > rounding && beyond < 1000 * rounding;
    return beyond > rounding;
}

/* Returns the largest coordinates on the way through a step, if no point is nearer to the horizon.
 */
static double grown(const struct step *step, double max_coord, long double nearest)
{
    const double *m = step->map.m;
    double w = (double)nearest, wide = (fabs(m[6]) + fabs(m[7])) * max_coord + fabs(m[8]);

    max_coord = fmax((fabs(m[0]) + fabs(m[1])) * max_coord + fabs(m[2]),
                     (fabs(m[3]) + fabs(m[4])) * max_coord + fabs(m[5])) /
                w;
    return fmax(max_coord, step->out.width + step->out.height) * fmax(1, wide / w);
}

static long double depth_of(const struct mat3 *map, struct long_point p)
{
    return map->m[6] * p.x + map->m[7] * p.y + map->m[8];
}

/* Back to where points were, by the adjugate. */
static void long_back(const struct mat3 *map, struct long_ring *r)
{
    const double *d = map->m;
    long double m[9], a[9];

    for (int i = 0; i < 9; i++)
        m[i] = d[i];
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) {
            int p = (k + 1) % 3, q = (k + 2) % 3, u = (i + 1) % 3, v = (i + 2) % 3;

            a[3 * i + k] = m[3 * p + u] * m[3 * q + v] - m[3 * p + v] * m[3 * q + u];
        }
    for (int i = 0; i < r->n; i++) {
        struct long_point p = r->at[i];
        long double w = a[6] * p.x + a[7] * p.y + a[8];

        r->at[i] = (struct long_point){ (a[0] * p.x + a[1] * p.y + a[2]) / w,
                                        (a[3] * p.x + a[4] * p.y + a[5]) / w };
    }
}

static void long_step(const struct step *step, struct frame in, struct long_ring *r,
                      struct truth *t)
{
    const double *m = step->map.m;
    struct long_point corner[4] = {
        { 0, 0 }, { in.width, 0 }, { in.width, in.height }, { 0, in.height }
    };
    long double x0 = INFINITY, y0 = INFINITY, x1 = -INFINITY, y1 = -INFINITY, before, here;
    long double nearest = INFINITY, left;
    struct long_ring back;
    double max_coord = 0;

    for (int i = 0; i < 4; i++) {
        struct long_point p = long_apply(&step->map, corner[i]);

        nearest = fminl(nearest, depth_of(&step->map, corner[i]));
        x0 = fminl(x0, p.x);
        x1 = fmaxl(x1, p.x);
        y0 = fminl(y0, p.y);
        y1 = fmaxl(y1, p.y);
    }
    for (int i = 0; i < r->n; i++)
        max_coord = fmax(max_coord, (double)fmaxl(fabsl(r->at[i].x), fabsl(r->at[i].y)));
    here = 4 * DBL_EPSILON * grown(step, in.width + in.height, nearest);
    for (int i = 0; i < r->n; i++)
        nearest = fminl(nearest, depth_of(&step->map, r->at[i]));
    if (nearest < 0.05L) { /* behind the horizon, or nearly: other tests ask for that */
        t->unsure = true;
        r->n = 0;
        return;
    }
    t->rounding = (2 * DBL_EPSILON * grown(step, fmax(max_coord, in.width + in.height), nearest) +
                   t->rounding * (fabs(m[0]) + fabs(m[1]) + fabs(m[3]) + fabs(m[4])) / nearest);
    before = long_area(r);
    for (int i = 0; i < r->n; i++)
        r->at[i] = long_apply(&step->map, r->at[i]);
    judge_thin(r, step->out, t);
    t->scale *= long_area(r) / before;
    t->slack += 40 * t->rounding / thickness(r);
    if (is_lost(-x0, here, t))
        clip_side(r, true, 1, 0);
    if (is_lost(x1 - step->out.width, here, t))
        clip_side(r, true, -1, step->out.width);
    if (is_lost(-y0, here, t))
        clip_side(r, false, 1, 0);
    if (is_lost(y1 - step->out.height, here, t))
        clip_side(r, false, -1, step->out.height);
    back = *r;
    long_back(&step->map, &back);
    left = long_area(&back);
    t->visibility *= r->n < 3 ? 0 : left / before;
    t->width = thickness(r);
}

static struct truth long_truth(const struct ring *ring, const struct chain *c)
{
    struct long_ring r = { .n = (int)ring->n };
    struct truth t = { .visibility = 1, .scale = 1 };
    struct frame now = c->in;
    long double whole;

    for (int i = 0; i < r.n; i++)
        r.at[i] = (struct long_point){ ring->at[i].x, ring->at[i].y };
    whole = long_area(&r);
    t.width = thickness(&r);
    for (int i = 0; i < c->n && t.width > 1e-5L * t.rounding; i++) {
        long_step(&c->step[i], now, &r, &t);
        now = c->step[i].out;
    }
    /* Tilts squeeze far parts: if doubles leave few digits, the test asserts nothing. */
    for (int i = 0; i < c->n; i++)
        t.unsure |= c->step[i].kind == TILT && t.slack > 1e-6L;
    if (t.width <= 1e-5L * t.rounding)
        return t;
    judge_thin(&r, now, &t);
    clip_side(&r, true, 1, 0);
    clip_side(&r, true, -1, now.width);
    clip_side(&r, false, 1, 0);
    clip_side(&r, false, -1, now.height);
    t.width = thickness(&r);
    t.area = long_area(&r) / whole;
    return t;
}

static void test_boxes(void)
{
    struct arena arena = { 0 };
    struct count n = { 0 };

    for (size_t i = cases(); i > 0; i--) {
        struct chain c = random_chain(KINDS);
        struct box b = random_box(&c);
        struct object o = boxed(&arena, b);
        struct ring ring = ring_of_box(&arena, b);
        struct truth t = long_truth(&ring, &c);
        double area = o.area;
        size_t before = unit_failed;

        run_chain(&arena, &c, &o);
        if (!t.unsure)
            tally(&o, &t, &n);
        if (!t.unsure && !o.final.dropped && o.changes && t.width >= 1000 * t.rounding) {
            CHECK(fabsl(o.area / area - t.area) <= (1e-9 + 2 * t.slack) * t.scale);
            CHECK(!box_is_empty(o.final.box) && o.final.size.x > 0 && o.final.size.y > 0);
        }
        if (unit_failed > before)
            print_truth(&t), print_case(&c, &ring, &o);
        arena_reset(&arena);
    }
    print_count("boxes", &n);
    CHECK(n.kept > cases() / 10 && n.dropped > cases() / 10 && n.strict > n.kept / 3);
    arena_drop(&arena);
}

/* Around a random box's middle; every second one convex, some with edges on a crop's. */
static struct ring random_ring(struct arena *arena, const struct chain *c)
{
    struct box b = random_box(c);
    struct ring r = ring_of_box(arena, b);
    double x = (b.x0 + b.x1) / 2, y = (b.y0 + b.y1) / 2;
    bool convex = unit_int(0, 1);

    if (!unit_int(0, 3))
        return r;
    r = (struct ring){ .at = ARENA_ARRAY(arena, struct point, MAX_POINTS),
                       .n = (size_t)unit_int(3, MAX_POINTS) };
    for (size_t i = 0; i < r.n; i++) {
        double a = 6.283185307179586 * ((double)i + unit_double(0, 0.9)) / (double)r.n;
        double far = convex ? 1 : unit_double(0.1, 1);

        r.at[i] = (struct point){ x + far * (b.x1 - b.x0) / 2 * cos(a),
                                  y + far * (b.y1 - b.y0) / 2 * sin(a) };
    }
    return r;
}

static void test_polygons(void)
{
    struct arena arena = { 0 };
    struct count n = { 0 };

    for (size_t i = cases(); i > 0; i--) {
        struct chain c = random_chain(KINDS);
        struct ring ring = random_ring(&arena, &c);
        struct truth t = long_truth(&ring, &c);
        struct object o = { .visibility = 1, .segmentation = SEGMENTATION_POLYGONS };
        struct ring source = ring_copy(&arena, &ring);
        size_t before = unit_failed;

        o.rings.ring = &ring;
        o.rings.n = 1;
        if (ring_area(&source) == 0) /* nothing to begin with: other tests ask for that */
            continue;
        run_chain(&arena, &c, &o);
        if (!t.unsure && t.slack < 1e-3L)
            tally(&o, &t, &n);
        if (unit_failed > before)
            print_truth(&t), print_case(&c, &source, &o);
        arena_reset(&arena);
    }
    print_count("polygons", &n);
    CHECK(n.kept > cases() / 10 && n.dropped > cases() / 10 && n.strict > n.kept / 3);
    arena_drop(&arena);
}

/* --- fields, whose displacements are bounded --- */

static const struct field *random_field(struct rng *rng, struct arena *arena, struct frame frame,
                                        double max_move)
{
    struct grid g = { (int)rng_integer(rng, 2, 6), (int)rng_integer(rng, 2, 6), NULL, NULL };
    size_t n = (size_t)g.rows * (size_t)g.columns;

    g.dx = ARENA_ARRAY(arena, double, n);
    g.dy = ARENA_ARRAY(arena, double, n);
    for (size_t i = 0; i < n; i++) {
        g.dx[i] = rng_between(rng, -max_move, max_move);
        g.dy[i] = rng_between(rng, -max_move, max_move);
    }
    return grid_field(arena, frame, &g, GRID_LINEAR);
}

/* No point moves farther than the field's maximum. Objects that are farther outside are dropped,
 * objects that are farther inside are kept whole, and kept objects lie on the canvas. */
static void test_fields(void)
{
    struct rng rng = rng_start(3, 5, RNG_DRAW);
    struct arena arena = { 0 };
    size_t kept = 0, inside = 0, outside = 0;

    for (size_t i = cases() / 10; i > 0; i--) {
        struct frame f = { unit_int(20, 200), unit_int(20, 200) };
        double max_move = rng_between(&rng, 0, 0.2) * fmin(f.width, f.height) / 6;
        struct chain c = { .in = f };
        double x = rng_between(&rng, 0, f.width), y = rng_between(&rng, 0, f.height);
        struct box small = { x, y, x + rng_between(&rng, 1, 9), y + rng_between(&rng, 1, 9) };
        struct box b = i % 2 ? random_box(&c) : small;
        struct object o = boxed(&arena, b);
        struct sample s = { .arena = &arena, .frame = f, .objects = &o, .n_objects = 1 };
        struct map map = { .field = random_field(&rng, &arena, f, max_move) };
        static const struct rules rules = { .boxes = BOXES_TIGHT };
        double far = max_move * 1.5; /* of both axes at once */
        bool in = b.x0 > far && b.y0 > far && b.x1 < f.width - far && b.y1 < f.height - far;
        bool out = b.x1 < -far || b.y1 < -far || b.x0 > f.width + far || b.y0 > f.height + far;

        sample_move(&s, &map, f);
        sample_finalize(&s, &rules);
        if (in)
            CHECK(!o.final.dropped && fabs(o.visibility - 1) <= 1e-9);
        if (out)
            CHECK(o.final.dropped);
        if (!o.final.dropped)
            CHECK(o.visibility > 0 && o.visibility <= 1 && o.final.box.x0 >= 0 &&
                  o.final.box.y0 >= 0 && o.final.box.x1 <= f.width && o.final.box.y1 <= f.height);
        kept += !o.final.dropped;
        inside += in;
        outside += out;
        arena_reset(&arena);
    }
    printf("# fields: %zu kept, %zu inside, %zu outside\n", kept, inside, outside);
    CHECK(kept > 0 && inside > cases() / 400 && outside > cases() / 400);
    arena_drop(&arena);
}

int main(void)
{
    static const struct unit_test tests[] = { TEST(test_whole), TEST(test_boxes),
                                              TEST(test_polygons), TEST(test_fields) };

    return unit_main(tests, COUNTOF(tests));
}
