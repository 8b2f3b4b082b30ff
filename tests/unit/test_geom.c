/* test_geom: frames, boxes and matrices. */
#include "geom/geom.h"

#include "unit.h"

static struct mat3 random_affine(void)
{
    return (struct mat3){ { unit_double(-2, 2), unit_double(-2, 2), unit_double(-99, 99),
                            unit_double(-2, 2), unit_double(-2, 2), unit_double(-99, 99), 0, 0,
                            1 } };
}

static struct mat3 random_projective(void)
{
    struct mat3 m = random_affine();

    m.m[6] = unit_double(-1e-3, 1e-3);
    m.m[7] = unit_double(-1e-3, 1e-3);
    m.m[8] = unit_double(0.8, 1.2);
    return m;
}

static void test_boxes(void)
{
    struct box a = { 0, 0, 4, 3 }, b = { 3, 1, 9, 2 }, c = { 4, 0, 5, 3 };
    struct point p[] = { { 2, 5 }, { -1, 7 }, { 4, 6 } };
    struct box around = box_of_points(p, 3), one = box_of_points(p, 1);

    CHECK(frame_equal((struct frame){ 3, 4 }, (struct frame){ 3, 4 }));
    CHECK(!frame_equal((struct frame){ 3, 4 }, (struct frame){ 4, 3 }));
    CHECK(box_area(box_of_frame((struct frame){ 3, 4 })) == 12);
    CHECK(box_of_frame((struct frame){ 3, 4 }).x1 == 3);
    CHECK(box_area(box_intersect(a, b)) == 1);
    CHECK(box_is_empty(box_intersect(a, c)));
    CHECK(box_area(box_intersect(a, c)) == 0);
    CHECK(box_area((struct box){ 5, 5, 1, 1 }) == 0);
    CHECK(box_contains(a, (struct box){ 0, 0, 4, 3 }, 0));
    CHECK(!box_contains(a, (struct box){ -0.5, 0, 4, 3 }, 0.4));
    CHECK(box_contains(a, (struct box){ -0.5, 0, 4, 3.5 }, 0.5));
    CHECK(around.x0 == -1 && around.y0 == 5 && around.x1 == 4 && around.y1 == 7);
    CHECK(one.x0 == 2 && one.x1 == 2 && one.y0 == 5 && box_is_empty(one));
    CHECK(box_is_empty(box_of_points(NULL, 0)));
}

static void test_kinds(void)
{
    struct mat3 id = MAT3_IDENTITY, flip = { { -1, 0, 9, 0, 1, 0, 0, 0, 1 } },
                quarter = { { 0, -1, 9, 1, 0, 0, 0, 0, 1 } },
                turn = { { 0.8, -0.6, 0, 0.6, 0.8, 0, 0, 0, 1 } },
                tilt = { { 1, 0, 0, 0, 1, 0, 0.001, 0, 1 } },
                flat = { { 1, 2, 0, 2, 4, 0, 0, 0, 1 } }, out;

    CHECK(mat3_is_identity(&id) && mat3_is_affine(&id) && mat3_is_axis_aligned(&id));
    CHECK(!mat3_is_identity(&flip) && mat3_is_axis_aligned(&flip));
    CHECK(mat3_is_axis_aligned(&quarter) && !mat3_is_axis_aligned(&turn));
    CHECK(mat3_is_affine(&turn) && !mat3_is_affine(&tilt) && !mat3_is_axis_aligned(&tilt));
    CHECK(!mat3_is_identity(&tilt));
    CHECK(mat3_scale_at(&flip, (struct point){ 3, 3 }) == -1);
    CHECK(mat3_scale_at(&quarter, (struct point){ 3, 3 }) == 1);
    CHECK(!mat3_invert(&flat, &out));
    CHECK(!mat3_invert(&(struct mat3){ { NAN, 0, 0, 0, 1, 0, 0, 0, 1 } }, &out));
    CHECK(mat3_invert(&quarter, &out) && out.m[1] == 1 && out.m[3] == -1 && out.m[5] == 9);
}

static void test_maps(void)
{
    for (int k = 0; k < 2000; k++) {
        bool affine = k & 1;
        struct mat3 a = affine ? random_affine() : random_projective(), b = random_affine(), ab, i;
        struct point p = { unit_double(0, 100), unit_double(0, 100) }, q, r;
        double e = 1e-4, scale;

        ab = mat3_then(&a, &b);
        q = mat3_apply(&b, mat3_apply(&a, p));
        r = mat3_apply(&ab, p);
        CHECK_NEAR(q.x, r.x, 1e-9);
        CHECK_NEAR(q.y, r.y, 1e-9);
        CHECK(mat3_is_affine(&ab) == affine);
        scale = mat3_scale_at(&a, p);
        if (fabs(scale) < 0.05)
            continue;
        CHECK(mat3_invert(&a, &i));
        CHECK(mat3_is_affine(&i) == affine);
        r = mat3_apply(&i, mat3_apply(&a, p));
        CHECK_NEAR(r.x, p.x, 1e-6);
        CHECK_NEAR(r.y, p.y, 1e-6);
        /* Areas, by the images of a small square's sides. */
        q = mat3_apply(&a, (struct point){ p.x + e, p.y });
        r = mat3_apply(&a, (struct point){ p.x, p.y + e });
        p = mat3_apply(&a, p);
        CHECK_NEAR(((q.x - p.x) * (r.y - p.y) - (q.y - p.y) * (r.x - p.x)) / (e * e), scale, 1e-4);
    }
}

/* Four corners of a box, each moved by up to `max_move`. */
static void random_corners(double max_move, struct point p[4])
{
    const struct point corner[4] = { { 0, 0 }, { 60, 0 }, { 60, 40 }, { 0, 40 } };

    for (int i = 0; i < 4; i++)
        p[i] = (struct point){ corner[i].x + unit_double(-max_move, max_move),
                               corner[i].y + unit_double(-max_move, max_move) };
}

static void test_corners(void)
{
    const struct point line[4] = { { 0, 0 }, { 4, 4 }, { 9, 9 }, { 0, 9 } },
                       folded[4] = { { 20, 20 }, { 9, 0 }, { 9, 9 }, { 0, 9 } },
                       square[4] = { { 0, 0 }, { 9, 0 }, { 9, 9 }, { 0, 9 } };
    struct point from[4], to[4], p;
    struct mat3 m, a;

    for (int k = 0; k < 2000; k++) {
        random_corners(9, from);
        random_corners(9, to);
        CHECK(!corners_are_flat(from));
        CHECK(mat3_of_corners(from, to, &m));
        for (int i = 0; i < 4; i++) {
            p = mat3_apply(&m, from[i]);
            CHECK_NEAR(p.x, to[i].x, 1e-9);
            CHECK_NEAR(p.y, to[i].y, 1e-9);
        }
        /* An affine map stays so to the bit. */
        a = random_affine();
        for (int i = 0; i < 4; i++)
            to[i] = mat3_apply(&a, from[i]);
        CHECK(mat3_of_corners(from, to, &m));
        CHECK(mat3_is_affine(&m));
        CHECK(mat3_sees(&m, (struct box){ -1e5, -1e5, 1e5, 1e5 }));
        for (int i = 0; i < 6; i++)
            CHECK_NEAR(m.m[i], a.m[i], 1e-6);
    }
    CHECK(mat3_of_corners(square, square, &m) && mat3_is_identity(&m));
    CHECK(corners_are_flat(line) && !mat3_of_corners(line, square, &m));
    /* A corner that goes to the other side of the diagonal: the horizon lies between. */
    CHECK(mat3_of_corners(square, folded, &m) && !mat3_sees(&m, (struct box){ 0, 0, 9, 9 }));
    m = (struct mat3){ { 1, 0, 0, 0, 1, 0, -0.1, 0, 1 } };
    CHECK(mat3_sees(&m, (struct box){ 0, 0, 9.9, 5 }) &&
          mat3_sees(&m, (struct box){ 11, 0, 12, 5 }));
    CHECK(!mat3_sees(&m, (struct box){ 0, 0, 10, 5 }) &&
          !mat3_sees(&m, (struct box){ 9, 0, 11, 5 }));
}

static void test_centres(void)
{
    struct mat3 m = random_projective(), a = random_affine();

    for (int k = 0; k < 100; k++) {
        int x = unit_int(0, 90), y = unit_int(0, 90);
        struct point centre = { x + 0.5, y + 0.5 };
        struct point p = mat3_apply(&m, centre), q = mat3_apply_centre(&m, x, y);

        CHECK(p.x == q.x && p.y == q.y);
        p = mat3_apply(&a, centre);
        q = mat3_apply_centre(&a, x, y);
        CHECK(p.x == q.x && p.y == q.y);
    }
}

int main(void)
{
    static const struct unit_test tests[] = {
        TEST(test_boxes), TEST(test_kinds), TEST(test_maps), TEST(test_corners), TEST(test_centres),
    };

    return unit_main(tests, COUNTOF(tests));
}
