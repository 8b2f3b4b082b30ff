/* test_polygon: areas, clipping, subtracting, overlap and covering of rings, against scan lines. */
#include "geom/polygon.h"

#include "unit.h"

enum { MAX_POINTS = 64 };

static struct arena arena;

static struct ring ring_of(struct point *p, size_t n)
{
    return (struct ring){ .at = p, .n = n };
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

/* The even-odd area of a ring inside a box, by thin scan lines: independent of any clipping. */
static double scanned_area(const struct ring *r, struct box b, int lines)
{
    double sum = 0, x[4 * MAX_POINTS];

    for (int k = 0; k < lines; k++) {
        double y = b.y0 + (b.y1 - b.y0) * (k + 0.5) / lines;
        size_t n = 0;

        for (size_t i = 0; i < r->n; i++) {
            struct point p = r->at[i], q = r->at[(i + 1) % r->n];

            if ((p.y > y) != (q.y > y))
                x[n++] = fmin(b.x1, fmax(b.x0, p.x + (q.x - p.x) * (y - p.y) / (q.y - p.y)));
        }
        qsort(x, n, sizeof *x, by_value);
        for (size_t i = 1; i < n; i += 2)
            sum += x[i] - x[i - 1];
    }
    return sum * (b.y1 - b.y0) / lines;
}

static double scanned_areas(const struct rings *r, struct box b, int lines)
{
    double sum = 0;

    for (size_t i = 0; i < r->n; i++)
        sum += scanned_area(&r->ring[i], b, lines);
    return sum;
}

/* Star-shaped, so never crossing itself, and as concave as may be. */
static struct ring random_star(struct point *p, int n, bool whole)
{
    double turn = unit_double(0, 6.28);

    for (int i = 0; i < n; i++) {
        double a = turn + 6.283185307179586 * (i + unit_double(0, 0.9)) / n, r = unit_double(2, 45);

        p[i] = (struct point){ 50 + r * cos(a), 50 + r * sin(a) };
        if (whole)
            p[i] = (struct point){ round(p[i].x), round(p[i].y) };
    }
    return ring_of(p, (size_t)n);
}

/* Teeth up and down over a spine: cut through the teeth it falls into many pieces. */
static struct ring random_comb(struct point *p, int teeth, bool whole)
{
    size_t n = 0;

    for (int i = 0; i < teeth; i++) {
        double x = 5 + 90.0 * i / teeth, w = 80.0 / teeth, top = unit_double(5, 60);
        double foot = unit_double(65, 75);

        p[n++] = (struct point){ x, foot };
        p[n++] = (struct point){ x + w * 0.25, whole ? round(top / 10) * 10 : top };
        p[n++] = (struct point){ x + w * 0.75, whole ? round(top / 10) * 10 : top };
    }
    p[n++] = (struct point){ 95, 70 };
    p[n++] = (struct point){ 95, 90 };
    p[n++] = (struct point){ 5, 90 };
    return ring_of(p, n);
}

static struct ring random_tangle(struct point *p, int n, bool whole)
{
    for (int i = 0; i < n; i++)
        p[i] = whole ? (struct point){ unit_int(0, 10) * 10, unit_int(0, 10) * 10 }
                     : (struct point){ unit_double(0, 100), unit_double(0, 100) };
    return ring_of(p, (size_t)n);
}

static struct box random_box(bool whole)
{
    double x = unit_double(-10, 90), y = unit_double(-10, 90);
    struct box b = { x, y, x + unit_double(1, 80), y + unit_double(1, 80) };

    if (whole) {
        int c = unit_int(0, 8), r = unit_int(0, 8);

        b = (struct box){ c * 10, r * 10, c * 10 + unit_int(1, 10) * 10,
                          r * 10 + unit_int(1, 10) * 10 };
    }
    return b;
}

static bool same_points(const struct ring *a, const struct ring *b)
{
    if (a->n != b->n)
        return false;
    for (size_t i = 0; i < a->n; i++)
        if (a->at[i].x != b->at[i].x || a->at[i].y != b->at[i].y)
            return false;
    return true;
}

/* No point twice in a row, none outside the box, and no edge on the box's side walked to and fro.
 */
static bool is_clean(const struct ring *r, struct box b)
{
    for (size_t i = 0; i < r->n; i++) {
        struct point p = r->at[i], q = r->at[(i + 1) % r->n], s = r->at[(i + 2) % r->n];

        if (p.x < b.x0 || p.x > b.x1 || p.y < b.y0 || p.y > b.y1)
            return false;
        if (p.x == q.x && p.y == q.y)
            return false;
        if (p.x == q.x && q.x == s.x && (q.y - p.y) * (s.y - q.y) < 0 &&
            (p.x == b.x0 || p.x == b.x1))
            return false;
        if (p.y == q.y && q.y == s.y && (q.x - p.x) * (s.x - q.x) < 0 &&
            (p.y == b.y0 || p.y == b.y1))
            return false;
    }
    return true;
}

static void check_halves(struct arena *a, const struct ring *r, double x)
{
    struct rings left = ring_clip(a, r, (struct box){ -1e4, -1e4, x, 1e4 });
    struct rings right = ring_clip(a, r, (struct box){ x, -1e4, 1e4, 1e4 });

    CHECK_NEAR(rings_area(&left) + rings_area(&right), ring_area(r), 1e-9);
}

static void test_clip_random(void)
{
    struct arena *a = &arena;
    struct point p[MAX_POINTS];

    for (int k = 0; k < 6000; k++) {
        bool whole = k % 2, simple = k % 3 != 2;
        struct ring r = k % 3 == 0   ? random_star(p, unit_int(3, 20), whole)
                        : k % 3 == 1 ? random_comb(p, unit_int(2, 12), whole)
                                     : random_tangle(p, unit_int(3, 12), whole);
        struct box b = random_box(whole);
        struct rings c = ring_clip(a, &r, b);

        CHECK_NEAR(scanned_areas(&c, b, 500), scanned_area(&r, b, 500), 1e-6);
        if (simple) {
            CHECK_NEAR(rings_area(&c), scanned_areas(&c, b, 4000), 1.5);
            check_halves(a, &r, whole ? unit_int(0, 10) * 10 : unit_double(0, 100));
            CHECK(!rings_overlap(&c));
        }
        for (size_t i = 0; i < c.n; i++) {
            CHECK(c.ring[i].n >= 3);
            /* A tangle may itself run to and fro along the side, or its pieces be tied there. */
            CHECK(!simple || is_clean(&c.ring[i], b));
            CHECK(!simple || ring_area(&c.ring[i]) > 1e-9);
        }
        arena_reset(a);
    }
}

static void test_clip_by_hand(void)
{
    struct arena *a = &arena;
    struct point comb[] = { { 0, 0 }, { 1, 0 }, { 1, 8 }, { 2, 8 }, { 2, 0 },  { 3, 0 },
                            { 3, 8 }, { 4, 8 }, { 4, 0 }, { 5, 0 }, { 5, 10 }, { 0, 10 } };
    struct point bow[] = { { 0, 0 }, { 10, 10 }, { 10, 0 }, { 0, 10 } };
    struct point ell[] = { { 0, -1 }, { 2, -1 }, { 2, 0 }, { 3, 0 },
                           { 3, 1 },  { 1, 1 },  { 1, 0 }, { 0, 0 } };
    struct point vee[] = { { 0, 2 }, { 2, 0 }, { 4, 2 }, { 4, 4 }, { 5, -1 }, { 6, 5 }, { 0, 5 } };
    struct ring r = ring_of(comb, COUNTOF(comb));
    struct rings c = ring_clip(a, &r, (struct box){ 0, 0, 5, 7 });

    CHECK(c.n == 3 && rings_area(&c) == 21);
    c = ring_clip(a, &r, (struct box){ 0.5, 1, 4.5, 7 });
    CHECK(c.n == 3 && rings_area(&c) == 12);
    c = ring_clip(a, &r, (struct box){ 0, 0, 5, 8 });
    CHECK(c.n == 3 && rings_area(&c) == 24);
    c = ring_clip(a, &r, (struct box){ 0, 0, 5, 9 });
    CHECK(c.n == 1 && rings_area(&c) == 29);
    /* A bow tie keeps both its wings, whatever they sum to. */
    r = ring_of(bow, 4);
    c = ring_clip(a, &r, (struct box){ 0, 0, 10, 10 });
    CHECK(c.n == 1 && same_points(&c.ring[0], &r));
    c = ring_clip(a, &r, (struct box){ 1, 0, 9, 10 });
    CHECK_NEAR(scanned_areas(&c, (struct box){ 0, 0, 10, 10 }, 1000), 32, 1e-6);
    c = ring_clip(a, &r, (struct box){ 0, 0, 10, 4 });
    CHECK(c.n == 2 && rings_area(&c) == 16);
    /* Edges along the cut form no bridges, and a part that only touches it is gone. */
    r = ring_of(ell, COUNTOF(ell));
    c = ring_clip(a, &r, (struct box){ -9, 0, 9, 9 });
    CHECK(c.n == 1 && c.ring[0].n == 4 && rings_area(&c) == 2);
    c = ring_clip(a, &r, (struct box){ -9, -9, 9, 0 });
    CHECK(c.n == 1 && c.ring[0].n == 4 && rings_area(&c) == 2);
    c = ring_clip(a, &r, (struct box){ -9, 1, 9, 9 });
    CHECK(c.n == 0);
    /* A ring that touches the cut from inside is not cut by that. */
    r = ring_of(vee, COUNTOF(vee));
    c = ring_clip(a, &r, (struct box){ 0, -1, 9, 9 });
    CHECK(c.n == 1 && same_points(&c.ring[0], &r));
    c = ring_clip(a, &r, (struct box){ 0, 0, 9, 9 });
    CHECK(c.n == 1);
}

static void test_clip_odd(void)
{
    struct arena *a = &arena;
    struct point same[] = { { 3, 3 }, { 3, 3 }, { 3, 3 } }, two[] = { { 1, 1 }, { 9, 1 } };
    struct point twice[] = { { 0, 0 }, { 0, 0 }, { 8, 0 }, { 8, 8 }, { 8, 8 }, { 0, 8 }, { 0, 0 } };
    struct point line[] = { { 0, 0 }, { 4, 4 }, { 10, 10 } };
    struct point bent[] = { { 1, 1 }, { 3, 4 }, { 9, 2 }, { 3, 4 } };
    struct point huge[] = { { -1e15, -1e15 }, { 1e15, -1e15 }, { 1e15, 1e15 }, { -1e15, 1e15 } };
    struct point far[] = { { -1e300, 0 }, { 1e300, 0 }, { 0, 1e300 } };
    struct box frame = { 0, 0, 5, 5 };
    struct ring r = ring_of(same, 3);
    struct rings c = ring_clip(a, &r, frame);

    CHECK(c.n == 1 && same_points(&c.ring[0], &r) && c.ring[0].at != r.at);
    CHECK(ring_clip(a, &r, (struct box){ 4, 4, 5, 5 }).n == 0);
    CHECK(ring_clip(a, &r, (struct box){ 3, 3, 3, 9 }).n == 0);
    for (size_t n = 0; n <= 2; n++) {
        r = ring_of(two, n);
        CHECK(ring_area(&r) == 0);
        CHECK(ring_clip(a, &r, (struct box){ 2, 0, 5, 5 }).n == 0);
        c = ring_clip(a, &r, (struct box){ 0, 0, 9, 9 });
        CHECK(n ? c.n == 1 && same_points(&c.ring[0], &r) : c.n == 0);
    }
    r = ring_of(twice, COUNTOF(twice));
    c = ring_clip(a, &r, frame);
    CHECK(c.n == 1 && c.ring[0].n == 4 && rings_area(&c) == 25);
    /* Lines walked to and fro: cut, nothing is left of them. */
    r = ring_of(line, 3);
    CHECK(ring_clip(a, &r, frame).n == 0);
    r = ring_of(bent, 4);
    CHECK(ring_clip(a, &r, frame).n == 0);
    r = ring_of(huge, 4);
    c = ring_clip(a, &r, frame);
    CHECK(c.n == 1 && c.ring[0].n == 4 && rings_area(&c) == 25);
    r = ring_of(far, 3);
    c = ring_clip(a, &r, (struct box){ -5, -5, 5, 5 });
    CHECK(c.n == 1 && is_clean(&c.ring[0], (struct box){ -5, -5, 5, 5 }));
    CHECK_NEAR(rings_area(&c), 50, 1e-6);
}

static void test_measures(void)
{
    struct arena *a = &arena;
    struct point p[] = { { 1, 2 }, { 4, 2 }, { 4, 6 } }, q[] = { { 10, 0 }, { 11, 0 }, { 11, 1 } };
    struct ring both[] = { ring_of(p, 3), ring_of(q, 0), ring_of(q, 3) };
    struct rings r = { both, 3 }, copy = rings_copy(a, &r);
    struct mat3 m = { { -2, 0, 5, 0, 1, 0, 0, 0, 1 } };
    struct box b = rings_bounds(&r);

    CHECK(ring_area(&both[0]) == 6 && rings_area(&r) == 6.5);
    CHECK(ring_perimeter(&both[0]) == 12 && ring_perimeter(&both[1]) == 0);
    CHECK(b.x0 == 1 && b.y0 == 0 && b.x1 == 11 && b.y1 == 6);
    CHECK(box_is_empty(rings_bounds(&(struct rings){ both + 1, 1 })));
    CHECK(ring_contains(&both[0], (struct point){ 3, 3 }));
    CHECK(!ring_contains(&both[0], (struct point){ 2, 5 }));
    CHECK(!ring_contains(&both[1], (struct point){ 2, 5 }));
    rings_apply(&copy, &m);
    CHECK(rings_area(&copy) == 13 && p[0].x == 1 && copy.ring[0].at[0].x == 3);
    both[0] = ring_of_box(a, (struct box){ 1, 2, 3, 5 });
    CHECK(both[0].n == 4 && ring_area(&both[0]) == 6);
    CHECK(both[0].at[0].x == 1 && both[0].at[0].y == 2 && both[0].at[1].x == 3 &&
          both[0].at[1].y == 2);
}

static bool boxes_overlap(struct arena *a, struct box x, struct box y)
{
    struct ring r[] = { ring_of_box(a, x), ring_of_box(a, y) };

    return rings_overlap(&(struct rings){ r, 2 });
}

static void test_overlap(void)
{
    struct arena *a = &arena;
    struct box b = { 0, 0, 10, 10 };
    struct point diamond[] = { { 5, 0 }, { 10, 5 }, { 5, 10 }, { 0, 5 } };
    struct point corner[] = { { 0, 0 }, { 5, 0 }, { 0, 5 } };
    struct ring r[] = { ring_of(diamond, 4), ring_of(corner, 3), ring_of_box(a, b) };

    CHECK(boxes_overlap(a, b, b));
    CHECK(boxes_overlap(a, b, (struct box){ 5, 5, 15, 15 }));
    CHECK(boxes_overlap(a, b, (struct box){ 2, 2, 4, 4 }));
    CHECK(boxes_overlap(a, (struct box){ 2, 2, 4, 4 }, b));
    CHECK(boxes_overlap(a, b, (struct box){ 0, 0, 10, 5 }));
    CHECK(boxes_overlap(a, b, (struct box){ 3, -5, 6, 15 }));
    CHECK(boxes_overlap(a, b, (struct box){ 3, 0, 6, 10 }));
    CHECK(!boxes_overlap(a, b, (struct box){ 10, 0, 20, 10 }));
    CHECK(!boxes_overlap(a, b, (struct box){ 10 - 1e-12, 2, 20, 8 }));
    CHECK(!boxes_overlap(a, b, (struct box){ 10, 10, 20, 20 }));
    CHECK(!boxes_overlap(a, b, (struct box){ 12, 0, 20, 10 }));
    CHECK(!rings_overlap(&(struct rings){ r, 2 }));
    CHECK(rings_overlap(&(struct rings){ r, 3 }));
    CHECK(!rings_overlap(&(struct rings){ r, 1 }));
}

static struct ring random_convex(struct point *p, int n)
{
    double x = unit_double(0, 100), y = unit_double(0, 100), radius = unit_double(5, 40);
    double side = unit_int(0, 1) ? 1 : -1, turn = unit_double(0, 6.28);

    for (int i = 0; i < n; i++) {
        double a = turn + side * 6.283185307179586 * i / n;

        p[i] = (struct point){ x + radius * cos(a), y + radius * sin(a) };
    }
    return ring_of(p, (size_t)n);
}

/* The share under any of `over`, by a grid of points. */
static double sampled_cover(const struct ring *r, const struct rings *over)
{
    int all = 0, under = 0;

    for (double y = 0.25; y < 100; y += 0.5)
        for (double x = 0.25; x < 100; x += 0.5) {
            bool hit = false;

            if (!ring_contains(r, (struct point){ x, y }))
                continue;
            for (size_t i = 0; i < over->n; i++)
                hit = hit || ring_contains(&over->ring[i], (struct point){ x, y });
            all++;
            under += hit;
        }
    return all ? (double)under / all : 0;
}

static void test_covered(void)
{
    struct arena *a = &arena;
    struct point p[MAX_POINTS], q[4][8];
    struct ring over[4], r = ring_of_box(a, (struct box){ 0, 0, 10, 10 });
    struct rings one = { &r, 1 };

    over[0] = ring_of_box(a, (struct box){ -5, -5, 5, 15 });
    over[1] = ring_of_box(a, (struct box){ 2, 0, 7, 5 });
    CHECK(rings_covered(&one, &(struct rings){ over, 0 }) == 0);
    CHECK_NEAR(rings_covered(&one, &(struct rings){ over, 1 }), 0.5, 1e-12);
    CHECK_NEAR(rings_covered(&one, &(struct rings){ over, 2 }), 0.6, 1e-12);
    CHECK(rings_covered(&(struct rings){ &r, 0 }, &(struct rings){ over, 2 }) == 0);
    CHECK_NEAR(rings_covered(&one, &one), 1, 1e-12);
    for (int k = 0; k < 150; k++) {
        size_t n = (size_t)unit_int(1, 4);

        r = k % 2 ? random_star(p, unit_int(3, 20), false) : random_comb(p, unit_int(2, 10), false);
        for (size_t i = 0; i < n; i++)
            over[i] = random_convex(q[i], unit_int(3, 8));
        CHECK_NEAR(rings_covered(&one, &(struct rings){ over, n }),
                   sampled_cover(&r, &(struct rings){ over, n }), 0.02);
        arena_reset(a);
    }
}

static bool any_contains(const struct rings *r, struct point p)
{
    bool any = false;

    for (size_t i = 0; i < r->n; i++)
        any |= ring_contains(&r->ring[i], p);
    return any;
}

/* Counts places, not on an edge, that are inside the rings or the boxes but wrongly classified. */
static int wrong_places(const struct ring *r, const struct box *box, size_t n,
                        const struct rings *rest)
{
    int wrong = 0;

    for (double y = -0.4871; y < 100; y += 1.731)
        for (double x = -0.3913; x < 100; x += 1.619) {
            bool want = ring_contains(r, (struct point){ x, y });

            for (size_t i = 0; i < n; i++)
                want = want && !(x > box[i].x0 && x < box[i].x1 && y > box[i].y0 && y < box[i].y1);
            wrong += any_contains(rest, (struct point){ x, y }) != want;
        }
    return wrong;
}

/* With one box, the areas must add up, too: the remaining part and the covered part. */
static void test_subtract_random(void)
{
    struct arena *a = &arena;
    struct point p[MAX_POINTS];

    for (int k = 0; k < 3000; k++) {
        bool whole = k / 3 % 2, simple = k % 3 != 2;
        struct ring r = k % 3 == 0   ? random_star(p, unit_int(3, 20), whole)
                        : k % 3 == 1 ? random_comb(p, unit_int(2, 12), whole)
                                     : random_tangle(p, unit_int(3, 12), whole);
        size_t n = k % 4 ? 1 : (size_t)unit_int(2, 5);
        struct box box[5];
        struct rings one = { &r, 1 }, rest, under;

        for (size_t i = 0; i < n; i++) {
            double x = unit_int(-5, 95), y = unit_int(-5, 95);

            box[i] = (struct box){ x, y, x + unit_int(1, 40), y + unit_int(1, 40) };
        }
        rest = rings_subtract(a, &one, box, n);
        under = ring_clip(a, &r, box[0]);
        if (!CHECK(wrong_places(&r, box, n, &rest) == 0))
            fprintf(stderr, "    draw %d\n", k);
        if (simple && n == 1 &&
            !CHECK_NEAR(rings_area(&rest) + rings_area(&under), ring_area(&r), 1e-6))
            fprintf(stderr, "    draw %d\n", k);
        CHECK(!rings_overlap(&rest));
        for (size_t i = 0; i < rest.n; i++)
            CHECK(rest.ring[i].n >= 3);
        arena_reset(a);
    }
}

static void test_subtract_by_hand(void)
{
    struct arena *a = &arena;
    struct ring r = ring_of_box(a, (struct box){ 10, 10, 30, 20 });
    struct rings one = { &r, 1 }, rest;

    /* A notch: one ring of eight points. */
    rest = rings_subtract(a, &one, &(struct box){ 15, 5, 20, 15 }, 1);
    CHECK(rest.n == 1 && rest.ring[0].n == 8);
    CHECK_NEAR(rings_area(&rest), 175, 0);
    /* A corner, the end of it, a slot from side to side. */
    rest = rings_subtract(a, &one, &(struct box){ 25, 15, 40, 40 }, 1);
    CHECK(rest.n == 1 && rest.ring[0].n == 6);
    CHECK_NEAR(rings_area(&rest), 175, 0);
    rest = rings_subtract(a, &one, &(struct box){ 10, 10, 20, 20 }, 1);
    CHECK(rest.n == 1 && rest.ring[0].n == 4);
    CHECK(rings_bounds(&rest).x0 == 20 && rings_area(&rest) == 100);
    rest = rings_subtract(a, &one, &(struct box){ 15, 10, 20, 20 }, 1);
    CHECK(rest.n == 2 && rings_area(&rest) == 150);
    /* In the middle: two rings that share a seam, and no hole. */
    rest = rings_subtract(a, &one, &(struct box){ 15, 12, 21, 18 }, 1);
    CHECK(rest.n == 2 && rings_area(&rest) == 164);
    CHECK(!rings_overlap(&rest));
    /* All of it; beside it; touching it, where it stays to the bit. */
    CHECK(rings_subtract(a, &one, &(struct box){ 10, 10, 30, 20 }, 1).n == 0);
    CHECK(rings_subtract(a, &one, &(struct box){ 0, 0, 99, 99 }, 1).n == 0);
    rest = rings_subtract(a, &one, &(struct box){ 30, 0, 50, 50 }, 1);
    CHECK(rest.n == 1 && same_points(&rest.ring[0], &r));
    rest = rings_subtract(a, &one, &(struct box){ 12, 20, 14, 25 }, 1);
    CHECK(rest.n == 1 && same_points(&rest.ring[0], &r));
    rest = rings_subtract(a, &one, &(struct box){ 30, 20, 50, 50 }, 1);
    CHECK(rest.n == 1 && same_points(&rest.ring[0], &r));
}

/* A grid of boxes as wide as they are apart, over all of a region. */
static size_t grid_of(struct box *to, struct box over, double unit)
{
    size_t n = 0;

    for (double y = over.y0; y < over.y1; y += 2 * unit)
        for (double x = over.x0; x < over.x1; x += 2 * unit)
            to[n++] = (struct box){ x, y, x + unit, y + unit };
    return n;
}

/* Many boxes: the remaining rings, the parts under each box, and the covered share agree. If all
 * boxes were tested against all pieces, the largest cases would not end. */
static void test_grids(void)
{
    struct arena *a = &arena;
    enum { MAX_BOXES = 100 * 100 };
    struct box *box = memory_take(MAX_BOXES * sizeof *box);
    struct point p[MAX_POINTS];

    for (int k = 0; k < 60; k++) {
        bool large = k == 0;
        struct ring r = k % 2 ? random_star(p, 20, false) : random_comb(p, 12, false), *hole;
        double unit = large ? 0.5 : unit_double(1, 9), from = large ? 0 : unit_double(-9, 9);
        size_t n;
        struct rings one = { &r, 1 }, rest;
        double under = 0;

        if (large)
            r = ring_of_box(a, (struct box){ 0, 0, 100, 100 });
        n = grid_of(box, (struct box){ from, from, 100, 100 }, unit);
        CHECK(n <= MAX_BOXES && (!large || n == MAX_BOXES));
        hole = ARENA_ARRAY(a, struct ring, n);
        for (size_t i = 0; i < n; i++) {
            struct rings part = ring_clip(a, &r, box[i]);

            under += rings_area(&part);
            hole[i] = ring_of_box(a, box[i]);
        }
        rest = rings_subtract(a, &one, box, n);
        CHECK_NEAR(rings_area(&rest), ring_area(&r) - under, 1e-6);
        CHECK_NEAR(rings_covered(&one, &(struct rings){ hole, n }), under / ring_area(&r), 1e-9);
        CHECK(!large || rest.n == 100);
        CHECK(!rings_overlap(&rest));
        arena_reset(a);
    }
    free(box);
}

/* Two triangles on both sides of one edge, with opposite winding: the areas that the box covers sum
 * to 0, and yet they are removed. */
static void test_subtract_opposed(void)
{
    struct arena *a = &arena;
    struct point p[] = { { 96, 96 }, { 30, 30 }, { 32, 96 }, { 96, 96 }, { 30, 30 }, { 32, -32 } };
    struct ring r = ring_of(p, COUNTOF(p));
    struct rings one = { &r, 1 };
    struct box box = { 43, 43, 45, 45 };
    struct rings rest = rings_subtract(a, &one, &box, 1);

    CHECK(wrong_places(&r, &box, 1, &rest) == 0);
    CHECK(!any_contains(&rest, (struct point){ 43.5, 44.5 }));
    CHECK(!any_contains(&rest, (struct point){ 44.5, 43.5 }));
}

int main(void)
{
    static const struct unit_test tests[] = {
        TEST(test_measures),         TEST(test_clip_by_hand),    TEST(test_clip_odd),
        TEST(test_clip_random),      TEST(test_overlap),         TEST(test_covered),
        TEST(test_subtract_by_hand), TEST(test_subtract_random), TEST(test_grids),
        TEST(test_subtract_opposed),
    };
    int status = unit_main(tests, COUNTOF(tests));

    arena_drop(&arena);
    return status;
}
