/* test_hidden_regions: convex regions moved by a field: ring by ring while they are few, as a mask
 * where they are many. */
#include "sample/hidden_regions.h"

#include "unit.h"

#include <math.h>

static const struct frame frame = { 100, 80 };
static struct arena arena;

/* Shows each pixel the one 3 pixels to its right and 2 below. */
static struct map shift(void)
{
    static const float dx[4] = { 3, 3, 3, 3 }, dy[4] = { 2, 2, 2, 2 };
    const struct point origin = { 0.5, 0.5 }, step = { 99, 79 };

    return (struct map){ .forward = MAT3_IDENTITY,
                         .inverse = MAT3_IDENTITY,
                         .field = field_make(&arena, frame, 2, 2, origin, step, dx, dy) };
}

/* Makes this many columns and rows of squares, side by side from (10, 10) on. */
static struct rings squares(int columns, int rows, double side)
{
    struct rings r = { ARENA_ARRAY(&arena, struct ring, (size_t)columns * (size_t)rows), 0 };

    for (int i = 0; i < columns; i++)
        for (int k = 0; k < rows; k++) {
            double x = 10 + side * i, y = 10 + side * k;

            r.ring[r.n++] = ring_of_box(&arena, (struct box){ x, y, x + side, y + side });
        }
    return r;
}

static bool are_same(struct box a, struct box b, double slack)
{
    return box_contains(a, b, slack) && box_contains(b, a, slack);
}

static void test_few(void)
{
    struct map map = shift();
    struct rings r = squares(8, 8, 2.5);

    holes_move(&arena, &map, frame, frame, &r);
    CHECK(r.n == 4 * 64);
    CHECK(are_same(rings_bounds(&r), (struct box){ 7, 8, 27, 28 }, 1e-6));
    CHECK(fabs(rings_area(&r) - 400) < 1e-6);
    /* Triangles stay unchanged if nothing bends them. */
    holes_move(&arena, &map, frame, frame, &r);
    CHECK(r.n == 4 * 64 && r.ring[0].n == 3);
    CHECK(are_same(rings_bounds(&r), (struct box){ 4, 6, 24, 26 }, 1e-6));
    arena_reset(&arena);
}

static void test_many(void)
{
    struct map map = shift();
    struct rings r = squares(300, 240, 0.2);

    CHECK(r.n > MAX_HOLE_RINGS);
    holes_move(&arena, &map, frame, frame, &r);
    CHECK(r.n == 1 && are_same(rings_bounds(&r), (struct box){ 7, 8, 67, 56 }, 0));
    arena_reset(&arena);
}

/* The maximum number of hidden rings, and one more. */
static void test_max_rings(void)
{
    struct map map = shift();
    struct rings r = squares(128, MAX_HOLE_RINGS / 4 / 128, 0.5);

    holes_move(&arena, &map, frame, frame, &r);
    CHECK(r.n == MAX_HOLE_RINGS);
    r = squares(128, MAX_HOLE_RINGS / 4 / 128 + 1, 0.5);
    holes_move(&arena, &map, frame, frame, &r);
    CHECK(r.n == 1);
    arena_reset(&arena);
}

static void test_matrix(void)
{
    struct map map = { .forward = { { 2, 0, 0, 0, 2, 0, 0, 0, 1 } },
                       .inverse = { { .5, 0, 0, 0, .5, 0, 0, 0, 1 } } };
    struct rings r = squares(100, 120, 0.5);
    size_t n = r.n;

    holes_move(&arena, &map, frame, frame, &r);
    CHECK(r.n == n && are_same(rings_bounds(&r), (struct box){ 20, 20, 120, 140 }, 0));
    arena_reset(&arena);
}

int main(void)
{
    static const struct unit_test tests[] = { TEST(test_few), TEST(test_many), TEST(test_max_rings),
                                              TEST(test_matrix) };
    int status = unit_main(tests, COUNTOF(tests));

    arena_drop(&arena);
    return status;
}
