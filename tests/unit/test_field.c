/* test_field: displacement fields: the inverse undoes the map, at borders, on canvases of one
 * pixel, where it is steep and where it folds; outlines bend with it; grids, plates and samples. */
#include "forms.h"

#include "base/rng.h"
#include "geom/grid.h"
#include "geom/map.h"

#include <math.h>
#include <string.h>

static struct arena arena;

/* Nodes displaced by up to `max_move` pixels. */
static const struct field *random_field(struct rng *rng, struct frame frame, int columns, int rows,
                                        double max_move)
{
    size_t n = (size_t)columns * (size_t)rows;
    struct grid g = { rows, columns, ARENA_ARRAY(&arena, double, n),
                      ARENA_ARRAY(&arena, double, n) };

    for (size_t i = 0; i < n; i++) {
        g.dx[i] = rng_between(rng, -max_move, max_move);
        g.dy[i] = rng_between(rng, -max_move, max_move);
    }
    return grid_field(&arena, frame, &g, GRID_LINEAR);
}

static double apart(struct point a, struct point b)
{
    return hypot(a.x - b.x, a.y - b.y);
}

/* Returns the largest distance of points, on the canvas and around it, after mapping there and
 * back. */
static double worst_return(struct rng *rng, const struct field *f, bool from_output)
{
    double worst = 0, w = f->frame.width, h = f->frame.height;

    for (int i = 0; i < 2000; i++) {
        struct point p = { rng_between(rng, -w, 2 * w), rng_between(rng, -h, 2 * h) };
        struct point back =
            from_output ? field_target(f, field_source(f, p)) : field_source(f, field_target(f, p));

        worst = fmax(worst, apart(back, p));
    }
    return worst;
}

static void test_inverse(void)
{
    struct rng rng = rng_start(1, 2, RNG_DRAW);

    for (int i = 0; i < 300; i++) {
        struct frame frame = { (int)rng_integer(&rng, 1, 200), (int)rng_integer(&rng, 1, 200) };
        int columns = (int)rng_integer(&rng, 2, 12), rows = (int)rng_integer(&rng, 2, 12);
        double cell = fmin((double)frame.width / (columns - 1), (double)frame.height / (rows - 1));
        /* a quarter of a cell never folds; nearly that is as steep as it gets */
        const struct field *f =
            random_field(&rng, frame, columns, rows, cell * rng_between(&rng, 0, 0.249));

        CHECK(field_min_jacobian(f) > 0);
        CHECK(worst_return(&rng, f, true) < 1e-4);
        CHECK(worst_return(&rng, f, false) < 1e-4);
        arena_reset(&arena);
    }
}

/* Where it folds, every place is still shown somewhere, and the answer is always the same. */
static void test_folds(void)
{
    struct rng rng = rng_start(3, 4, RNG_DRAW);
    int folded = 0;

    for (int i = 0; i < 100; i++) {
        const struct field *f =
            random_field(&rng, (struct frame){ 90, 70 }, 9, 8, rng_between(&rng, 8, 60));
        struct rng same = rng, again = rng;
        double worst;

        folded += field_min_jacobian(f) <= 0;
        worst = worst_return(&rng, f, false);
        CHECK(worst < 1e-3);
        CHECK(worst_return(&same, f, false) == worst_return(&again, f, false));
        arena_reset(&arena);
    }
    CHECK(folded > 90);
}

static void test_border(void)
{
    float dx[4] = { 3, 5, 3, 5 }, dy[4] = { -2, -2, 1, 1 };
    const struct field *f = field_make(&arena, (struct frame){ 10, 20 }, 2, 2,
                                       (struct point){ 0, 0 }, (struct point){ 10, 20 }, dx, dy);
    struct point p = field_source(f, (struct point){ -100, -50 });
    struct box outline = field_outline(f);

    CHECK(p.x == -97 && p.y == -52);
    p = field_source(f, (struct point){ 5, 200 });
    CHECK(p.x == 9 && p.y == 201);
    p = field_target(f, (struct point){ -97, -52 });
    CHECK(p.x == -100 && p.y == -50);
    CHECK(outline.x0 == 3 && outline.x1 == 15 && outline.y0 == -2 && outline.y1 == 21);
    arena_reset(&arena);
}

static void test_smallest(void)
{
    float dx = 0.25f, dy = -0.75f, line[2], to;
    const struct field *f =
        field_make(&arena, (struct frame){ 1, 1 }, 1, 1, (struct point){ 0.5, 0.5 },
                   (struct point){ 1, 1 }, &dx, &dy);
    struct point p = field_target(f, (struct point){ 0.5, 0.5 });

    CHECK(apart(p, (struct point){ 0.25, 1.25 }) < 1e-9);
    field_line(f, f->dx, 0, 0, 1, line, &to);
    CHECK(to == dx);
    p = field_target(f, (struct point){ NAN, 0 });
    CHECK(isnan(p.x));
    p = field_target(f, (struct point){ 1e12, -1e12 });
    CHECK(apart(p, (struct point){ 1e12, -1e12 }) < 2);
    arena_reset(&arena);
}

/* The same displacement for a row's loop as for a point, and for a part of a row. */
static void test_rows(void)
{
    struct rng rng = rng_start(5, 6, RNG_DRAW);

    for (int i = 0; i < 50; i++) {
        struct frame frame = { (int)rng_integer(&rng, 1, 90), (int)rng_integer(&rng, 1, 90) };
        int columns = (int)rng_integer(&rng, 2, 20), rows = (int)rng_integer(&rng, 2, 20);
        const struct field *f = random_field(&rng, frame, columns, rows, 9);
        float line[21], all[90], part[90];
        int y = (int)rng_integer(&rng, 0, frame.height),
            x0 = (int)rng_integer(&rng, 0, frame.width);

        field_line(f, f->dx, y, 0, frame.width, line, all);
        field_line(f, f->dx, y, x0, frame.width, line, part);
        CHECK(memcmp(all + x0, part, (size_t)(frame.width - x0) * sizeof *part) == 0);
        for (int x = 0; x < frame.width; x++) {
            struct point p = field_source(f, (struct point){ x + 0.5, y + 0.5 });

            CHECK(fabs(p.x - (x + 0.5) - (double)all[x]) < 1e-4);
        }
        arena_reset(&arena);
    }
}

static struct point wave(const void *context, struct point p)
{
    (void)context;
    return (struct point){ 6 * sin(p.x / 25) * cos(p.y / 40), 5 * cos((p.x + p.y) / 30) };
}

static void test_sampled(void)
{
    const struct field *f = field_sampled(&arena, (struct frame){ 640, 427 }, wave, NULL);
    double worst = 0;

    for (int y = 0; y < 427; y += 3)
        for (int x = 0; x < 640; x += 3) {
            struct point p = { x + 0.3, y + 0.6 }, d = wave(NULL, p), s = field_source(f, p);

            worst = fmax(worst, apart(s, (struct point){ p.x + d.x, p.y + d.y }));
        }
    CHECK(worst < 0.05);
    CHECK(f->x.n < 640 && f->x.n > 32); /* neither a node per pixel nor only a few */
    arena_reset(&arena);
}

/* Points of the moved outline's edges lie where the edge's points are moved to. */
static void test_outlines(void)
{
    struct rng rng = rng_start(7, 8, RNG_DRAW);

    for (int i = 0; i < 60; i++) {
        struct map map = { .field = random_field(&rng, (struct frame){ 200, 160 }, 6, 7, 7) };
        struct ring ring =
            ring_of_box(&arena, (struct box){ rng_between(&rng, 5, 90), 20.3, 150, 130 });
        struct ring moved = ring_copy(&arena, &ring);
        double worst = 0;

        map_ring(&arena, &map, &moved);
        CHECK(moved.n > 8 && moved.n < 200);
        for (int k = 0; k < 500; k++) {
            size_t edge = (size_t)rng_integer(&rng, 0, 4);
            double t = rng_unit(&rng), near = INFINITY;
            struct point a = ring.at[edge], b = ring.at[(edge + 1) % 4], p;

            p = map_apply(&map, (struct point){ a.x + t * (b.x - a.x), a.y + t * (b.y - a.y) });
            for (size_t m = 0; m < moved.n; m++) {
                struct point c = moved.at[m], d = moved.at[(m + 1) % moved.n];
                double l2 = (d.x - c.x) * (d.x - c.x) + (d.y - c.y) * (d.y - c.y);
                double s = ((p.x - c.x) * (d.x - c.x) + (p.y - c.y) * (d.y - c.y)) / l2;

                s = fmin(1, fmax(0, s));
                near = fmin(near, hypot(c.x + s * (d.x - c.x) - p.x, c.y + s * (d.y - c.y) - p.y));
            }
            worst = fmax(worst, near);
        }
        CHECK(worst < 0.05);
        arena_reset(&arena);
    }
}

/* No points are added where the field does not bend. */
static void test_straight_outlines(void)
{
    float dx[4] = { 2, 4, 5, 7 }, dy[4] = { 0, 1, 2, 3 }; /* affine */
    struct map map = { .field =
                           field_make(&arena, (struct frame){ 64, 64 }, 2, 2,
                                      (struct point){ 0, 0 }, (struct point){ 64, 64 }, dx, dy) };
    struct ring ring = ring_of_box(&arena, (struct box){ 10, 10, 40, 50 });
    struct rings holes = { &ring, 1 };

    map_ring(&arena, &map, &ring);
    CHECK(ring.n == 4);
    map_convex(&arena, &map, &holes);
    CHECK(holes.n == 4 && holes.ring[0].n == 3);
    arena_reset(&arena);
}

/* A thin plate and a spline go through their nodes; a plate that is tilted stays flat. */
static void test_grids(void)
{
    struct rng rng = rng_start(9, 10, RNG_DRAW);
    struct frame frame = { 97, 61 };
    struct grid g = { 4, 5, ARENA_ARRAY(&arena, double, 20), ARENA_ARRAY(&arena, double, 20) };

    for (int how = GRID_LINEAR; how <= GRID_THIN_PLATE; how++) {
        const struct field *f;

        for (int i = 0; i < 20; i++) {
            g.dx[i] = rng_normal(&rng, 0, 2);
            g.dy[i] = rng_normal(&rng, 0, 2);
        }
        f = grid_field(&arena, frame, &g, (enum grid_surface)how);
        for (int i = 0; i < 20; i++) {
            struct point p = { i % 5 * 97. / 4, (double)(i / 5) * 61. / 3 }, s = field_source(f, p);

            CHECK(fabs(s.x - p.x - g.dx[i]) < 0.05 && fabs(s.y - p.y - g.dy[i]) < 0.05);
        }
        for (int i = 0; i < 20; i++) {
            g.dx[i] = 0.5 * (i % 5) - (i / 5);
            g.dy[i] = i / 5 + 3;
        }
        f = grid_field(&arena, frame, &g, (enum grid_surface)how);
        for (int i = 0; i < 100; i++) {
            struct point p = { rng_between(&rng, 0, 97), rng_between(&rng, 0, 61) };
            struct point s = field_source(f, p);

            CHECK(fabs(s.x - p.x - (2 * p.x / 97 - 3 * p.y / 61)) < 0.03);
            CHECK(fabs(s.y - p.y - (3 * p.y / 61 + 3)) < 0.03);
        }
    }
    for (int i = 0; i < 20; i++)
        g.dx[i] = rng_normal(&rng, 0, 40);
    grid_unfold(&g, frame);
    CHECK(field_min_jacobian(grid_field(&arena, frame, &g, GRID_LINEAR)) >= 0.1);
    arena_reset(&arena);
}

int main(void)
{
    static const struct unit_test tests[] = {
        TEST(test_inverse), TEST(test_folds),   TEST(test_border),   TEST(test_smallest),
        TEST(test_rows),    TEST(test_sampled), TEST(test_outlines), TEST(test_straight_outlines),
        TEST(test_grids),
    };
    int status = forms_main(tests, COUNTOF(tests));

    arena_drop(&arena);
    return status;
}
