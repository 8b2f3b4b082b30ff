/* test_masks: properties of every mask, in all its forms: bitmap, runs, string or outlines. */
#include "geom/map.h"

#include "bitmap.h"
#include "unit.h"

#include <string.h>

enum { MASKS = 100000 };

static struct arena arena;

static bool is_bitmap(const struct rle *m, const struct bitmap *b)
{
    struct bitmap back = { .f = b->f };

    if (m->width != b->f.width || m->height != b->f.height || !rle_is_valid(m))
        return false;
    rle_to_bitmap(m, back.px, (size_t)b->f.width);
    return memcmp(back.px, b->px, sizeof b->px) == 0;
}

/* Bitmap to runs to string and back; area and bounds are the bitmap's. */
static void check_itself(const struct bitmap *b, const struct rle *m)
{
    struct box box = rle_bounds(m), want = { SIDE, SIDE, 0, 0 };
    const char *string = rle_to_string(&arena, m);
    struct rle back = { 0 };
    uint64_t area = 0;

    for (int y = 0; y < b->f.height; y++)
        for (int x = 0; x < b->f.width; x++)
            if (bitmap_bit(b, x, y)) {
                area++;
                want.x0 = x < want.x0 ? x : want.x0;
                want.y0 = y < want.y0 ? y : want.y0;
                want.x1 = x >= want.x1 ? x + 1 : want.x1;
                want.y1 = y + 1;
            }
    if (!area)
        want = (struct box){ 0 };
    CHECK(is_bitmap(m, b));
    CHECK(rle_area(m) == area);
    CHECK(memcmp(&box, &want, sizeof box) == 0);
    CHECK(rle_from_string(&arena, (struct slice){ string, strlen(string) }, m->height, m->width,
                          &back));
    CHECK(back.n == m->n && memcmp(back.run, m->run, m->n * sizeof *m->run) == 0);
}

/* Union, intersection, difference and IoU are those of pixels. */
static void check_pair(const struct bitmap *a, const struct rle *m)
{
    struct bitmap b = bitmap_random_of(a->f), either = { .f = a->f }, both = either, only = either;
    struct rle pair[2] = { *m, bitmap_rle(&arena, &b) }, got;
    double n_either = 0, n_both = 0;

    for (int i = 0; i < a->f.width * a->f.height; i++) {
        n_either += either.px[i] = a->px[i] | b.px[i];
        n_both += both.px[i] = a->px[i] & b.px[i];
        only.px[i] = a->px[i] & !b.px[i];
    }
    got = rle_merge(&arena, pair, 2, false);
    CHECK(is_bitmap(&got, &either));
    got = rle_merge(&arena, pair, 2, true);
    CHECK(is_bitmap(&got, &both));
    got = rle_without(&arena, &pair[0], &pair[1]);
    CHECK(is_bitmap(&got, &only));
    for (size_t i = 1; i < got.n; i++)
        CHECK(got.run[i] > 0);
    CHECK_NEAR(rle_iou(&pair[0], &pair[1], false), n_both > 0 ? n_both / n_either : 0, 1e-12);
}

/* The even-odd sum of the masks of rings. */
static struct rle sum_of(const struct rings *r, struct frame f)
{
    struct rle sum = rle_from_rings(&arena, &(struct rings){ 0 }, f);

    for (size_t i = 0; i < r->n; i++) {
        struct rle one = rle_from_rings(&arena, &(struct rings){ &r->ring[i], 1 }, f);
        struct rle side[2] = { rle_without(&arena, &sum, &one), rle_without(&arena, &one, &sum) };

        sum = rle_merge(&arena, side, 2, false);
    }
    return sum;
}

static double signed_sum(const struct rings *r, const bool *hole)
{
    double sum = 0;

    for (size_t i = 0; i < r->n; i++)
        sum += hole[i] ? -ring_area(&r->ring[i]) : ring_area(&r->ring[i]);
    return sum;
}

/* Outlines are the mask, also in a box of whole pixels, and but for one. */
static void check_outlines(const struct bitmap *b, const struct rle *m)
{
    bool *hole = NULL;
    struct rings r = rle_to_rings(&arena, m, &hole), part;
    struct rle got = sum_of(&r, b->f);
    int x = unit_int(-3, b->f.width), y = unit_int(-3, b->f.height);
    struct box box = { x, y, x + unit_int(1, b->f.width), y + unit_int(1, b->f.height) };
    struct bitmap in = { .f = b->f }, out = in;

    CHECK(is_bitmap(&got, b));
    CHECK(signed_sum(&r, hole) == (double)rle_area(m));
    for (y = 0; y < b->f.height; y++)
        for (x = 0; x < b->f.width; x++)
            (x >= box.x0 && x < box.x1 && y >= box.y0 && y < box.y1 ? &in : &out)
                ->px[y * b->f.width + x] = bitmap_bit(b, x, y);
    part = rings_clip(&arena, &r, box);
    got = sum_of(&part, b->f);
    CHECK(is_bitmap(&got, &in));
    part = rings_subtract(&arena, &r, &box, 1);
    got = sum_of(&part, b->f);
    CHECK(is_bitmap(&got, &out));
}

/* A crop or pad of whole pixels, mirrored or not, turned or not: by index and by matrix. */
struct whole {
    struct map map;
    struct frame out;
    int32_t col[SIDE], row[SIDE];
};

static void whole_random(struct whole *w, struct frame in)
{
    int sx = unit_int(0, 1) ? 1 : -1, sy = unit_int(0, 1) ? 1 : -1, columns, rows, x0, y0;
    bool swap = unit_int(0, 1);

    w->out = (struct frame){ bitmap_random_side(), bitmap_random_side() };
    columns = swap ? w->out.height : w->out.width;
    rows = swap ? w->out.width : w->out.height;
    x0 = unit_int(-columns / 2, in.width - 1);
    y0 = unit_int(-rows / 2, in.height - 1);
    for (int i = 0; i < columns; i++)
        w->col[sx > 0 ? i : columns - 1 - i] = x0 + i >= 0 && x0 + i < in.width ? x0 + i : -1;
    for (int i = 0; i < rows; i++)
        w->row[sy > 0 ? i : rows - 1 - i] = y0 + i >= 0 && y0 + i < in.height ? y0 + i : -1;
    w->map = (struct map){ .col = w->col, .row = w->row, .swap = swap };
    w->map.forward = (struct mat3){ { sx, 0, sx > 0 ? -x0 : columns + x0, 0, sy,
                                      sy > 0 ? -y0 : rows + y0, 0, 0, 1 } };
    if (swap)
        w->map.forward =
            mat3_then(&w->map.forward, &(struct mat3){ { 0, 1, 0, 1, 0, 0, 0, 0, 1 } });
    CHECK(mat3_invert(&w->map.forward, &w->map.inverse));
}

/* Moved as runs, through a raster, and as outlines: all are the moved bitmap. */
static void check_moves(const struct bitmap *b, const struct rle *m, bool outlines)
{
    struct whole w;
    struct bitmap want;
    struct map warp;
    struct rle got;
    struct rings r;

    whole_random(&w, b->f);
    want = (struct bitmap){ .f = w.out };
    for (int y = 0; y < w.out.height; y++)
        for (int x = 0; x < w.out.width; x++)
            want.px[y * w.out.width + x] =
                w.map.swap ? bitmap_bit(b, w.col[y], w.row[x]) : bitmap_bit(b, w.col[x], w.row[y]);
    got = rle_move(&arena, m, &w.map, w.out);
    CHECK(is_bitmap(&got, &want));
    warp = (struct map){ .forward = w.map.forward, .inverse = w.map.inverse };
    got = rle_move(&arena, m, &warp, w.out);
    CHECK(is_bitmap(&got, &want));
    if (!outlines)
        return;
    r = rle_to_rings(&arena, m, NULL);
    map_rings(&arena, &w.map, &r);
    r = rings_clip(&arena, &r, box_of_frame(w.out));
    got = sum_of(&r, w.out);
    CHECK(is_bitmap(&got, &want));
}

/* A polygon's mask, its outlines, and their mask again. */
static void check_polygon(void)
{
    struct frame f = { bitmap_random_side(), bitmap_random_side() };
    struct point p[9];
    struct ring ring = { .at = p, .n = (size_t)unit_int(3, (int)COUNTOF(p)) };
    struct rle m, again;
    struct rings r;

    for (size_t i = 0; i < ring.n; i++)
        p[i] = (struct point){ unit_double(-9, f.width + 9), unit_double(-9, f.height + 9) };
    m = rle_from_rings(&arena, &(struct rings){ &ring, 1 }, f);
    r = rle_to_rings(&arena, &m, NULL);
    again = sum_of(&r, f);
    CHECK(rle_is_valid(&m) && rle_equal(&m, &again));
}

/* --- several moves at once --- */

enum { MAX_MOVES = 4, CHAINS = 20000, NODES = 5 };

/* A shift, turn, scale and mirror, perhaps with a horizon beyond the frame. */
static struct mat3 matrix_random(struct frame in)
{
    double scale = unit_double(0.6, 1.6);
    struct mat3 m =
        mat3_affine(unit_double(-180, 180), unit_double(-6, 6), unit_double(-6, 6), scale,
                    unit_double(-20, 20), 0, (struct point){ in.width / 2., in.height / 2. });

    if (unit_int(0, 1)) /* axes are kept */
        m = (struct mat3){ { scale, 0, unit_double(-6, 6), 0, unit_double(-1.6, -0.6), in.height, 0,
                             0, 1 } };
    if (unit_int(0, 3) == 0)
        m.m[6] = unit_double(-0.01, 0.01);
    return m;
}

static const struct field *field_random(struct frame out)
{
    float dx[NODES * NODES], dy[NODES * NODES];

    for (int i = 0; i < NODES * NODES; i++) {
        dx[i] = (float)unit_double(-3, 3);
        dy[i] = (float)unit_double(-3, 3);
    }
    return field_make(&arena, out, NODES, NODES, (struct point){ 0, 0 },
                      (struct point){ out.width / 4., out.height / 4. }, dx, dy);
}

/* Appends a random move of frames, of any kind. */
static struct rle_moves move_random(struct frame in, struct whole *w, struct map *map)
{
    int kind = unit_int(0, 3);

    whole_random(w, in);
    *map = w->map;
    if (kind == 0)
        *map = (struct map){ .field = field_random(w->out) };
    else if (kind < 3) {
        *map = (struct map){ .forward = matrix_random(in) };
        CHECK(mat3_invert(&map->forward, &map->inverse));
    }
    return (struct rle_moves){ .map = map, .in = in, .out = w->out };
}

/* The bit that a point of the last frame shows; 0 where it is outside of one on its way. */
static uint8_t bit_through(const struct bitmap *b, const struct rle_moves *last, struct point p)
{
    for (const struct rle_moves *m = last; m; m = m->before) {
        p = m->map->field ? field_source(m->map->field, p) : mat3_apply(&m->map->inverse, p);
        if (!(p.x >= 0 && p.y >= 0 && p.x < m->in.width && p.y < m->in.height))
            return 0;
    }
    return bitmap_bit(b, (int)p.x, (int)p.y);
}

/* Each pixel of the result is the pixel of the first mask under its center, whatever pixels there
 * were in between. For one move, it equals the move's result. */
static void check_chain(const struct bitmap *b, const struct rle *m, const struct rle_moves *last)
{
    struct bitmap want = { .f = last->out };
    struct rle got = rle_move_through(&arena, m, last), once;

    if (!last->before) {
        once = rle_move(&arena, m, last->map, last->out);
        CHECK(rle_equal(&got, &once));
        return;
    }
    for (int y = 0; y < want.f.height; y++)
        for (int x = 0; x < want.f.width; x++)
            want.px[y * want.f.width + x] =
                bit_through(b, last, (struct point){ x + 0.5, y + 0.5 });
    CHECK(is_bitmap(&got, &want));
}

static void check_through(const struct bitmap *b, const struct rle *m)
{
    struct rle_moves move[MAX_MOVES];
    struct whole w[MAX_MOVES];
    struct map map[MAX_MOVES];
    int n = unit_int(1, MAX_MOVES);

    for (int i = 0; i < n; i++) {
        move[i] = move_random(i ? move[i - 1].out : b->f, &w[i], &map[i]);
        move[i].before = i ? &move[i - 1] : NULL;
    }
    check_chain(b, m, &move[n - 1]);
}

/* Turns, turns back, and halves: pixel centers come from edges, along one axis or both, or from
 * positions that depend on rounding. */
static void check_edges(const struct bitmap *b, const struct rle *m)
{
    const struct frame half = { (b->f.width + 1) / 2, (b->f.height + 1) / 2 };
    const struct point at = { unit_int(0, 9), unit_int(0, 9) };
    double angle = unit_int(0, 3) ? unit_double(-3, 3) : unit_int(-180, 180);
    struct map there = { .forward = mat3_affine(angle, 0, 0, 1, 0, 0, at) };
    struct mat3 turn = mat3_affine(-angle, 0, 0, 1, 0, 0, at);
    struct mat3 scale = { { unit_int(0, 2) ? 0.5 : unit_double(0.4, 0.6), 0, unit_int(-3, 3), 0,
                            unit_int(0, 2) ? 0.5 : unit_double(0.4, 0.6), 0, 0, 0, 1 } };
    struct map back = { .forward = mat3_then(&turn, &scale) };
    const struct rle_moves first = { .map = &there, .in = b->f, .out = b->f };
    const struct rle_moves last = { &first, &back, b->f, half };

    CHECK(mat3_invert(&there.forward, &there.inverse) && mat3_invert(&back.forward, &back.inverse));
    check_chain(b, m, &last);
}

static void test_through(void)
{
    for (int k = 0; k < CHAINS; k++) {
        struct bitmap b = bitmap_random();
        struct rle m = bitmap_rle(&arena, &b);

        check_through(&b, &m);
        check_edges(&b, &m);
        arena_reset(&arena);
    }
}

static void test_masks(void)
{
    size_t empty = 0, full = 0, lines = 0, single = 0;

    for (int k = 0; k < MASKS; k++) {
        struct bitmap b = bitmap_random();
        struct rle m = bitmap_rle(&arena, &b);
        uint64_t area = rle_area(&m);

        /* The outlines of noise are many rings: one mask in sixteen has them. */
        check_itself(&b, &m);
        check_pair(&b, &m);
        check_moves(&b, &m, k % 16 == 0);
        if (k % 16 == 0)
            check_outlines(&b, &m);
        if (k % 4 == 0)
            check_polygon();
        empty += area == 0;
        full += area == (uint64_t)(b.f.width * b.f.height);
        lines += b.f.width == 1 || b.f.height == 1;
        single += b.f.width == 1 && b.f.height == 1;
        arena_reset(&arena);
    }
    CHECK(empty > 1000 && full > 1000 && lines > 1000 && single > 100);
}

int main(void)
{
    static const struct unit_test tests[] = {
        TEST(test_masks),
        TEST(test_through),
    };
    int status = unit_main(tests, COUNTOF(tests));

    arena_drop(&arena);
    return status;
}
