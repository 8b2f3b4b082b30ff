/* test_rle: run-length masks against the golden cases of the COCO API and against plain bitmaps.
 * Usage: test_rle rle.jsonl */
#include "geom/rle.h"

#include "bitmap.h"
#include "unit.h"

#include <cjson/cJSON.h>
#include <string.h>

static struct arena arena;

static struct slice slice_of(const char *s)
{
    return (struct slice){ s, strlen(s) };
}

static bool from_string(const char *s, int height, int width, struct rle *out)
{
    return rle_from_string(&arena, slice_of(s), height, width, out);
}

static struct rle rle_of(struct bitmap *b)
{
    return bitmap_rle(&arena, b);
}

static bool is_canonical(const struct rle *m)
{
    for (size_t i = 1; i < m->n; i++)
        if (!m->run[i])
            return false;
    return rle_is_valid(m) && m->n > 0;
}

/* Golden cases. */

static const cJSON *get(const cJSON *o, const char *name)
{
    return cJSON_GetObjectItemCaseSensitive(o, name);
}

static int size_of(const cJSON *o, int i)
{
    return cJSON_GetArrayItem(get(o, "size"), i)->valueint;
}

static struct rle read_rle(const cJSON *o, const cJSON *string)
{
    struct rle m = { 0 };

    CHECK(from_string(string->valuestring, size_of(o, 0), size_of(o, 1), &m));
    return m;
}

static struct rings read_rings(const cJSON *list)
{
    size_t n = (size_t)cJSON_GetArraySize(list), i = 0;
    struct rings r = { ARENA_ARRAY(&arena, struct ring, n), n };
    const cJSON *ring, *number;

    cJSON_ArrayForEach(ring, list)
    {
        size_t k = 0, all = (size_t)cJSON_GetArraySize(ring);

        r.ring[i] = (struct ring){ .at = ARENA_ARRAY(&arena, struct point, all / 2), .n = all / 2 };
        cJSON_ArrayForEach(number, ring)
        {
            struct point *p = &r.ring[i].at[k / 2];

            *(k++ % 2 ? &p->y : &p->x) = number->valuedouble;
        }
        i++;
    }
    return r;
}

static bool check_case(const cJSON *o, const struct rle *m)
{
    struct box b = rle_bounds(m);
    const cJSON *box = get(o, "bbox");
    double want[4];
    bool ok = CHECK(strcmp(rle_to_string(&arena, m), get(o, "counts")->valuestring) == 0);

    for (int i = 0; i < 4; i++)
        want[i] = cJSON_GetArrayItem(box, i)->valuedouble;
    ok &= CHECK((double)rle_area(m) == get(o, "area")->valuedouble);
    ok &= CHECK(b.x0 == want[0] && b.y0 == want[1] && b.x1 - b.x0 == want[2] &&
                b.y1 - b.y0 == want[3]);
    ok &= CHECK(is_canonical(m));
    return ok;
}

static bool check_uncompressed(const cJSON *o, const struct rle *m)
{
    const cJSON *list = get(o, "counts_uncompressed"), *number;
    size_t i = 0;
    bool ok = CHECK((size_t)cJSON_GetArraySize(list) == m->n);

    cJSON_ArrayForEach(number, list)
    {
        ok &= CHECK(i < m->n && (double)m->run[i] == number->valuedouble);
        i++;
    }
    return ok;
}

static bool check_iou(const cJSON *o)
{
    const cJSON *dt, *gt;
    bool ok = true;
    int d = 0;

    cJSON_ArrayForEach(dt, get(o, "dt"))
    {
        int g = 0;

        cJSON_ArrayForEach(gt, get(o, "gt"))
        {
            struct rle a = read_rle(o, dt), b = read_rle(o, gt);
            bool crowd = cJSON_GetArrayItem(get(o, "iscrowd"), g)->valueint != 0;
            double want =
                cJSON_GetArrayItem(cJSON_GetArrayItem(get(o, "result"), d), g)->valuedouble;

            ok &= CHECK_NEAR(rle_iou(&a, &b, crowd), want, 1e-12);
            g++;
        }
        d++;
    }
    return ok;
}

static bool check_merge(const cJSON *o)
{
    const cJSON *list = get(o, "inputs"), *input;
    struct rle *all = ARENA_ARRAY(&arena, struct rle, (size_t)cJSON_GetArraySize(list)), merged;
    size_t n = 0;

    cJSON_ArrayForEach(input, list) all[n++] = read_rle(o, input);
    merged = rle_merge(&arena, all, n, cJSON_IsTrue(get(o, "intersect")));
    return check_case(o, &merged);
}

static bool check_line(const cJSON *o)
{
    const char *kind = get(o, "kind")->valuestring;
    struct rle m;

    if (strcmp(kind, "merge") == 0)
        return check_merge(o);
    if (strcmp(kind, "iou") == 0)
        return check_iou(o);
    if (strcmp(kind, "polygon") == 0) {
        struct rings r = read_rings(get(o, "polygons"));

        m = rle_from_rings(&arena, &r, (struct frame){ size_of(o, 1), size_of(o, 0) });
        return check_case(o, &m);
    }
    CHECK(strcmp(kind, "rle") == 0);
    m = read_rle(o, get(o, "counts"));
    return check_case(o, &m) && check_uncompressed(o, &m);
}

static void test_golden(void)
{
    FILE *file = fopen("tests/golden/rle.jsonl", "r");
    char *line = NULL;
    size_t room = 0, lines = 0;

    if (!CHECK(file != NULL))
        return;
    while (getline(&line, &room, file) > 0) {
        cJSON *o = cJSON_Parse(line);

        if (CHECK(o != NULL) && !check_line(o))
            fprintf(stderr, "    in %s\n", get(o, "id")->valuestring);
        cJSON_Delete(o);
        arena_reset(&arena);
        lines++;
    }
    CHECK(lines == 335);
    free(line);
    fclose(file);
}

/* Strings. */

static void test_strings(void)
{
    uint32_t run[] = { 6, 1, 40, 4, 5, 4, 5, 4, 21 };
    struct rle m = { 9, 10, run, 9 }, r;

    CHECK(strcmp(rle_to_string(&arena, &m), "61X13mN000`0") == 0);
    CHECK(from_string("61X13mN000`0", 9, 10, &r) && rle_equal(&r, &m) && r.n == 9);
    CHECK(from_string("6", 2, 3, &r) && r.n == 1 && r.run[0] == 6);
    CHECK(from_string("06", 2, 3, &r) && r.n == 2 && rle_area(&r) == 6);
    /* A number may be longer than it needs to be. */
    CHECK(from_string("VP0", 2, 3, &r) && r.n == 1 && r.run[0] == 6);
    /* Runs of no length are read and joined away. */
    CHECK(from_string("2102", 2, 3, &r) && r.n == 2 && r.run[1] == 4);
}

static void test_strings_refused(void)
{
    static const char *const bad[] = {
        "",
        "P",
        "PPPP",
        "6P",
        "5",
        "7",
        "34",
        "O7",
        "7O",
        "6 ",
        " 6",
        "6\n",
        "6/",
        "6p",
        "6\x7f",
        "6\xff",
        "VPPPPPP0",
        "0o?1",
        "PPPPPPPPPPPPPPPPPPPPPPPPPPPP0",
        "VPPPPPPPPPPPPPPPPPPPP0",
        "00000000000000000000o",
        "1O6",
        "11O5",
        "111K6",
        "oooooooO",
        "PPPPPP?",
    };
    struct rle r;

    for (size_t i = 0; i < COUNTOF(bad); i++)
        if (!CHECK(!from_string(bad[i], 2, 3, &r)))
            fprintf(stderr, "    \"%s\"\n", bad[i]);
    CHECK(!rle_from_string(&arena, (struct slice){ "6\0", 2 }, 2, 3, &r));
    CHECK(!from_string("6", 0, 3, &r) && !from_string("6", -2, -3, &r) &&
          !from_string("", 0, 0, &r));
    CHECK(!from_string("6", 3, 3, &r));
    /* A slice ends where it ends, whatever follows. */
    CHECK(rle_from_string(&arena, (struct slice){ "6PPPP", 1 }, 2, 3, &r));
    CHECK(!rle_from_string(&arena, (struct slice){ "V0", 1 }, 2, 3, &r));
    CHECK(rle_from_string(&arena, (struct slice){ "V0", 2 }, 2, 3, &r));
}

static void test_invalid(void)
{
    uint32_t run[] = { 0, 1000 }, zeros[] = { 0, 0, 3, 0, 0, 0, 3, 0, 0 }, most[300];
    struct rle m = { 4, 4, run, 2 }, z = { 2, 3, zeros, 9 }, c = rle_canonical(&arena, &z);
    struct rle none = { 0 }, large = { 1, 1, most, 300 }, brief = { 4, 4, (uint32_t[]){ 3 }, 1 }, r;
    uint8_t px[64] = { 0 };

    CHECK(!rle_is_valid(&m) && rle_is_valid(&z) && !rle_is_valid(&none));
    /* Wrong ones are refused by callers, and yet write nowhere. */
    rle_to_bitmap(&m, px, 4);
    CHECK(px[15] == 1 && px[16] == 0);
    /* Two masks with different totals do not cause an endless walk. */
    r = rle_merge(&arena, (struct rle[]){ m, brief }, 2, false);
    CHECK(rle_area(&r) >= 16);
    r = rle_merge(&arena, (struct rle[]){ brief, m }, 2, true);
    CHECK(rle_area(&r) == 0);
    r = rle_without(&arena, &m, &brief);
    CHECK(rle_area(&r) == 1000);
    r = rle_without(&arena, &brief, &m);
    CHECK(rle_area(&r) == 0 && rle_iou(&m, &brief, false) == 0);
    CHECK(c.n == 1 && c.run[0] == 6 && rle_equal(&c, &z) && rle_area(&z) == 0);
    CHECK(box_is_empty(rle_bounds(&z)) && box_is_empty(rle_bounds(&none)));
    zeros[3] = 1;
    zeros[6] = 2;
    c = rle_canonical(&arena, &z);
    CHECK(c.n == 3 && rle_equal(&c, &z) && rle_bounds(&z).y1 == rle_bounds(&c).y1);
    for (size_t i = 0; i < 300; i++)
        most[i] = i % 4 < 2 ? 0 : UINT32_MAX;
    CHECK(strlen(rle_to_string(&arena, &large)) > 300 * 6);
    most[0] = 7;
    CHECK(rle_merge(&arena, &m, 0, false).n == 0);
    CHECK(rle_merge(&arena, (struct rle[]){ m, z }, 2, false).n == 0);
}

static void test_large(void)
{
    enum { N = 70000 };
    struct frame f = { N, N };
    uint64_t all = (uint64_t)N * N;
    struct point p[] = { { 10, 20 }, { 69990, 20 }, { 69990, 69980 }, { 10, 69980 } };
    struct ring ring = { .at = p, .n = 4 };
    struct rle full, empty = rle_from_rings(&arena, &(struct rings){ 0 }, f), r, t;
    struct rle box = rle_from_rings(&arena, &(struct rings){ &ring, 1 }, f);
    struct box b = rle_bounds(&box);
    char *s = rle_to_string(&arena, &empty);
    struct mat3 id = MAT3_IDENTITY;
    struct map grown = { .forward = { { 1, 0, 69000, 0, 1, 69000, 0, 0, 1 } },
                         .inverse = { { 1, 0, -69000, 0, 1, -69000, 0, 0, 1 } } };

    CHECK(rle_is_valid(&empty) && rle_area(&empty) == 0 && rle_is_valid(&box));
    CHECK(rle_area(&box) == (uint64_t)69980 * 69960);
    CHECK(b.x0 == 10 && b.y0 == 20 && b.x1 == 69990 && b.y1 == 69980);
    CHECK(from_string(s, N, N, &r) && rle_equal(&r, &empty));
    s = rle_to_string(&arena, &box);
    CHECK(from_string(s, N, N, &r) && rle_equal(&r, &box));
    t = rle_transpose(&arena, &box);
    t = rle_transpose(&arena, &t);
    CHECK(rle_equal(&t, &box));
    p[0] = p[3] = (struct point){ -9, -9 };
    p[0].y = p[1].y = -1e7;
    p[3].y = p[2].y = 1e7;
    p[1].x = p[2].x = 1e7;
    full = rle_from_rings(&arena, &(struct rings){ &ring, 1 }, f);
    CHECK(rle_is_valid(&full) && rle_area(&full) == all);
    b = rle_bounds(&full);
    CHECK(b.x0 == 0 && b.y0 == 0 && b.x1 == N && b.y1 == N);
    r = rle_merge(&arena, (struct rle[]){ full, box }, 2, true);
    CHECK(rle_equal(&r, &box));
    CHECK_NEAR(rle_iou(&box, &full, false), 69980.0 * 69960 / 4.9e9, 1e-12);
    /* A raster as small as its contents, on a canvas of the maximum size. */
    ring = (struct ring){ .at = (struct point[]){ { 0, 0 }, { 90, 0 }, { 90, 50 } }, .n = 3 };
    r = rle_from_rings(&arena, &(struct rings){ &ring, 1 }, (struct frame){ 100, 100 });
    t = rle_move(&arena, &r, &grown, f);
    CHECK(rle_area(&t) == rle_area(&r) && rle_bounds(&t).x0 == 69000 + rle_bounds(&r).x0);
    t = rle_move(&arena, &t, &(struct map){ .forward = id, .inverse = id }, f);
    CHECK(rle_is_valid(&t) && rle_area(&t) == rle_area(&r));
}

/* Bitmaps. */

static void test_round_trips(void)
{
    for (int k = 0; k < 3000; k++) {
        struct bitmap b = bitmap_random(), back = { .f = b.f };
        struct rle m = rle_of(&b), r, t;
        struct box box = rle_bounds(&m), want = { SIDE, SIDE, 0, 0 };
        uint64_t area = 0;

        for (int y = 0; y < b.f.height; y++)
            for (int x = 0; x < b.f.width; x++)
                if (bitmap_bit(&b, x, y)) {
                    area++;
                    want = (struct box){ fmin(want.x0, x), fmin(want.y0, y), fmax(want.x1, x + 1),
                                         fmax(want.y1, y + 1) };
                }
        if (!area)
            want = (struct box){ 0 };
        CHECK(is_canonical(&m) && rle_area(&m) == area);
        CHECK(box.x0 == want.x0 && box.y0 == want.y0 && box.x1 == want.x1 && box.y1 == want.y1);
        CHECK(from_string(rle_to_string(&arena, &m), b.f.height, b.f.width, &r));
        CHECK(r.n == m.n && rle_equal(&r, &m) && rle_equal(&m, &r));
        rle_to_bitmap(&m, back.px, (size_t)b.f.width);
        CHECK(memcmp(back.px, b.px, sizeof b.px) == 0);
        t = rle_transpose(&arena, &m);
        CHECK(is_canonical(&t) && t.height == m.width && rle_area(&t) == area);
        r = rle_transpose(&arena, &t);
        CHECK(rle_equal(&r, &m));
        b.px[unit_int(0, b.f.width * b.f.height - 1)] ^= 1;
        r = rle_of(&b);
        CHECK(!rle_equal(&r, &m));
        arena_reset(&arena);
    }
}

/* Noise of labels, with such as belong to no mask, and masks that get no pixel. */
static void test_labels(void)
{
    enum { MASKS = 5, LABELS = 7 };

    for (int k = 0; k < 500; k++) {
        struct frame f = { unit_int(1, SIDE), unit_int(1, SIDE) };
        struct rle_labels *labels = rle_labels_begin(&arena, f, MASKS);
        struct bitmap b[LABELS] = { { .px = { 0 } } };
        int min_label = unit_int(0, LABELS - 1), last = 0;
        struct rle m[MASKS];

        for (int x = 0; x < f.width; x++) {
            uint32_t column[SIDE];

            for (int y = 0; y < f.height; y++) {
                last = unit_int(0, 3) ? last : unit_int(min_label, LABELS - 1);
                column[y] = last < MASKS ? (uint32_t)last : UINT32_MAX - (uint32_t)last;
                b[last].px[y * f.width + x] = 1;
            }
            rle_labels_column(labels, column);
        }
        rle_labels_end(labels, m);
        for (int i = 0; i < MASKS; i++) {
            struct rle want;

            b[i].f = f;
            want = rle_of(&b[i]);
            CHECK(is_canonical(&m[i]) && m[i].n == want.n && rle_equal(&m[i], &want));
        }
        arena_reset(&arena);
    }
}

static void test_merge(void)
{
    for (int k = 0; k < 1000; k++) {
        size_t n = (size_t)unit_int(1, 5);
        bool intersect = k & 1;
        struct bitmap all = bitmap_random();
        struct rle m[5], merged, want;

        m[0] = rle_of(&all);
        for (size_t i = 1; i < n; i++) {
            struct bitmap b = bitmap_random();

            b.f = all.f;
            for (int j = 0; j < all.f.width * all.f.height; j++)
                all.px[j] = intersect ? all.px[j] & b.px[j] : all.px[j] | b.px[j];
            m[i] = rle_of(&b);
        }
        merged = rle_merge(&arena, m, n, intersect);
        want = rle_of(&all);
        CHECK(is_canonical(&merged) && rle_equal(&merged, &want));
        arena_reset(&arena);
    }
}

/* Moves. */

/* Makes a list whose entries are a source line or -1: crop, pad, flip, resize, or all of them. */
static void random_lines(int32_t *line, int n, int source)
{
    int from = unit_int(-10, source), span = unit_int(1, 2 * source);
    bool flip = unit_int(0, 1);

    for (int i = 0; i < n; i++) {
        int s = from + (unit_int(0, 2) ? (int)((i + 0.5) * span / n) : i * span / n);

        if (i && s < from)
            s = from;
        line[flip ? n - 1 - i : i] = s >= 0 && s < source ? s : -1;
    }
    /* The mix of two roundings above may step back; a list of lines does not. */
    for (int i = 1; i < n; i++) {
        int a = flip ? n - 1 - i : i, b = flip ? n - i : i - 1;

        if (line[a] >= 0 && line[b] > line[a])
            line[a] = line[b];
    }
    if (unit_int(0, 3) == 0)
        line[unit_int(0, n - 1)] = -1;
}

static void test_move_by_index(void)
{
    for (int k = 0; k < 6000; k++) {
        struct bitmap b = bitmap_random(), want = { .f = { unit_int(1, SIDE), unit_int(1, SIDE) } };
        int32_t col[SIDE], row[SIDE];
        struct map map = { .col = col, .row = row, .swap = k & 1 };
        struct rle m = rle_of(&b), moved, plain;

        random_lines(col, map.swap ? want.f.height : want.f.width, b.f.width);
        random_lines(row, map.swap ? want.f.width : want.f.height, b.f.height);
        for (int y = 0; y < want.f.height; y++)
            for (int x = 0; x < want.f.width; x++)
                want.px[y * want.f.width + x] =
                    map.swap ? bitmap_bit(&b, col[y], row[x]) : bitmap_bit(&b, col[x], row[y]);
        moved = rle_move(&arena, &m, &map, want.f);
        plain = rle_of(&want);
        CHECK(is_canonical(&moved) && rle_equal(&moved, &plain));
        arena_reset(&arena);
    }
}

static void test_move_by_matrix(void)
{
    int empty = 0, cut = 0;

    for (int k = 0; k < 4000; k++) {
        struct bitmap b = bitmap_random(), want = { .f = { unit_int(1, SIDE), unit_int(1, SIDE) } };
        struct map map = { .inverse = MAT3_IDENTITY };
        double *i = map.inverse.m;
        struct rle m = rle_of(&b), moved, plain;

        for (int j = 0; j < 6; j++)
            i[j] = j % 3 < 2 ? unit_double(-1.5, 1.5) : 0;
        /* The middle comes from near the middle, mostly. */
        i[2] =
            unit_double(-0.2, 1.2) * b.f.width - (i[0] * want.f.width + i[1] * want.f.height) / 2;
        i[5] =
            unit_double(-0.2, 1.2) * b.f.height - (i[3] * want.f.width + i[4] * want.f.height) / 2;
        if (k % 3 == 0) {
            i[6] = unit_double(-0.03, 0.03);
            i[7] = unit_double(-0.03, 0.03);
        }
        if (k % 3 == 1) /* onto the edges of pixels, also of the first and last */
            for (int j = 0; j < 6; j++)
                i[j] = nearbyint(2 * i[j]) / 2;
        if (!mat3_invert(&map.inverse, &map.forward))
            continue;
        for (int y = 0; y < want.f.height; y++)
            for (int x = 0; x < want.f.width; x++) {
                struct point p = mat3_apply_centre(&map.inverse, x, y);

                if (fabs(p.x) < 1000 && fabs(p.y) < 1000)
                    want.px[y * want.f.width + x] =
                        bitmap_bit(&b, (int)floor(p.x), (int)floor(p.y));
            }
        moved = rle_move(&arena, &m, &map, want.f);
        plain = rle_of(&want);
        CHECK(is_canonical(&moved) && rle_equal(&moved, &plain));
        empty += rle_area(&plain) == 0;
        cut += rle_area(&plain) > 0;
        arena_reset(&arena);
    }
    CHECK(empty > 100 && cut > 1000);
}

/* Turned, mirrored, sheared or projective; the region cuts, has endless sides, or both. */
static void test_area_within(void)
{
    int all = 0, some = 0, none = 0;

    for (int k = 0; k < 4000; k++) {
        struct bitmap b = bitmap_random();
        struct map map = { .forward = MAT3_IDENTITY };
        double *side[4], *m = map.forward.m;
        struct rle mask = rle_of(&b);
        struct box region = { unit_int(-10, 20), unit_int(-10, 20), 0, 0 };
        uint64_t n, want = 0;

        region.x1 = region.x0 + unit_double(1, 60);
        region.y1 = region.y0 + unit_double(1, 60);
        side[0] = &region.x0, side[1] = &region.y0, side[2] = &region.x1, side[3] = &region.y1;
        for (int i = 0; i < 4; i++)
            if (unit_int(0, 1))
                *side[i] = i < 2 ? -INFINITY : INFINITY;
        for (int i = 0; i < 6; i++)
            m[i] = i % 3 < 2 ? unit_double(-1.5, 1.5) : unit_double(-20, 40);
        if (k % 4 == 0)
            m[1] = m[3] = 0;
        if (k % 4 == 1)
            m[6] = unit_double(-0.01, 0.01);
        for (int y = 0; y < b.f.height; y++)
            for (int x = 0; x < b.f.width; x++) {
                struct point p = mat3_apply(&map.forward, (struct point){ x + 0.5, y + 0.5 });

                want += bitmap_bit(&b, x, y) && p.x >= region.x0 && p.x <= region.x1 &&
                        p.y >= region.y0 && p.y <= region.y1;
            }
        n = rle_area_within(&mask, &map, region);
        CHECK(n == want);
        all += n && n == rle_area(&mask);
        some += n && n < rle_area(&mask);
        none += !n && rle_area(&mask);
        arena_reset(&arena);
    }
    CHECK(all > 100 && some > 100 && none > 100);
}

/* Outlines. */

/* Even-odd on pixel edges: a pixel is inside when an odd number of vertical edges is left of it. */
static void fill(const struct rings *r, struct bitmap *b)
{
    for (size_t i = 0; i < r->n; i++)
        for (size_t k = 0; k < r->ring[i].n; k++) {
            struct point p = r->ring[i].at[k], q = r->ring[i].at[(k + 1) % r->ring[i].n];

            CHECK((p.x == q.x) != (p.y == q.y));
            if (p.x != q.x)
                continue;
            for (int y = (int)fmin(p.y, q.y); y < (int)fmax(p.y, q.y); y++)
                for (int x = (int)p.x; x < b->f.width; x++)
                    b->px[y * b->f.width + x] ^= 1;
        }
}

static void test_outlines(void)
{
    for (int k = 0; k < 2000; k++) {
        struct bitmap b = bitmap_random(), back = { .f = b.f };
        struct rle m = rle_of(&b), again;
        bool *hole = NULL;
        struct rings r = rle_to_rings(&arena, &m, &hole), second;
        double area = 0;

        fill(&r, &back);
        CHECK(memcmp(back.px, b.px, sizeof b.px) == 0);
        for (size_t i = 0; i < r.n; i++) {
            area += hole[i] ? -ring_area(&r.ring[i]) : ring_area(&r.ring[i]);
            for (size_t c = 0; c < r.ring[i].n; c++) {
                struct point *p = r.ring[i].at, o = p[c], q = p[(c + 1) % r.ring[i].n],
                             s = p[(c + 2) % r.ring[i].n];

                CHECK(!(o.x == q.x && q.x == s.x) && !(o.y == q.y && q.y == s.y));
            }
        }
        CHECK(area == (double)rle_area(&m));
        again = rle_of(&back);
        second = rle_to_rings(&arena, &again, NULL);
        CHECK(second.n == r.n);
        for (size_t i = 0; i < r.n && second.n == r.n; i++)
            CHECK(second.ring[i].n == r.ring[i].n &&
                  memcmp(second.ring[i].at, r.ring[i].at, r.ring[i].n * sizeof *r.ring[i].at) == 0);
        arena_reset(&arena);
    }
}

static void test_outlines_by_hand(void)
{
    struct bitmap diagonal = { { 2, 2 }, { 1, 0, 0, 1 } };
    struct bitmap frame = { { 3, 3 }, { 1, 1, 1, 1, 0, 1, 1, 1, 1 } };
    struct rle m = rle_of(&diagonal), again;
    bool *hole;
    struct rings r = rle_to_rings(&arena, &m, &hole);

    CHECK(r.n == 2 && r.ring[0].n == 4 && r.ring[1].n == 4 && !hole[0] && !hole[1]);
    /* Without holes, outlines are polygons of the same mask. */
    again = rle_from_rings(&arena, &r, diagonal.f);
    CHECK(rle_equal(&again, &m));
    m = rle_of(&frame);
    r = rle_to_rings(&arena, &m, &hole);
    CHECK(r.n == 2 && hole[0] + hole[1] == 1 && rings_area(&r) == 10);
    CHECK(rings_overlap(&r));
    m = rle_of(&(struct bitmap){ { 3, 3 }, { 0 } });
    CHECK(rle_to_rings(&arena, &m, NULL).n == 0);
    arena_reset(&arena);
}

/* Polygons: cocoapi's rleFrPoly (maskApi.c), followed step by step, every edge walked in full. */

static int truncated(double v)
{
    return (int)(v + .5);
}

static void walk_edge(const int *a, const int *b, int (*walked)[2], size_t *n)
{
    int dx = abs(b[0] - a[0]), dy = abs(b[1] - a[1]);
    int major = dx >= dy ? 0 : 1, steps = dx >= dy ? dx : dy;
    bool flip = a[major] > b[major];
    const int *s = flip ? b : a, *e = flip ? a : b;
    double slope = steps ? (double)(e[1 - major] - s[1 - major]) / steps : 0;

    for (int d = 0; d <= steps; d++) {
        int t = flip ? steps - d : d;

        walked[*n][major] = s[major] + t;
        walked[*n][1 - major] = truncated(s[1 - major] + slope * t);
        ++*n;
    }
}

static struct rle plain_polygon(const struct ring *r, struct frame f)
{
    static int walked[12 * 30001][2]; /* edges of random_ring: 3000 either way, in fifths */
    static uint8_t toggled[SIDE * SIDE + 1];
    struct bitmap b = { .f = f };
    size_t n = 0;
    uint8_t on = 0;

    for (size_t i = 0; i < r->n; i++) {
        struct point p = r->at[i], q = r->at[(i + 1) % r->n];
        int from[2] = { truncated(5 * p.x), truncated(5 * p.y) };
        int to[2] = { truncated(5 * q.x), truncated(5 * q.y) };

        walk_edge(from, to, walked, &n);
    }
    memset(toggled, 0, sizeof toggled);
    for (size_t j = 1; j < n; j++) {
        int *u = walked[j], *last = walked[j - 1];
        double xd, yd;

        if (u[0] == last[0])
            continue;
        xd = ((u[0] < last[0] ? u[0] : u[0] - 1) + .5) / 5 - .5;
        yd = ((u[1] < last[1] ? u[1] : last[1]) + .5) / 5 - .5;
        if (floor(xd) != xd || xd < 0 || xd > f.width - 1)
            continue;
        yd = ceil(fmin(fmax(yd, 0), f.height));
        toggled[(int)xd * f.height + (int)yd] ^= 1;
    }
    for (int i = 0; i < f.width * f.height; i++) {
        on ^= toggled[i];
        b.px[i % f.height * f.width + i / f.height] = on;
    }
    return rle_of(&b);
}

static void random_ring(struct point *p, size_t n)
{
    double lo = unit_int(0, 1) ? 0 : -60, hi = lo < 0 ? 100 : SIDE;
    int grid = unit_int(0, 3);

    for (size_t i = 0; i < n; i++) {
        p[i] = (struct point){ unit_double(lo, hi), unit_double(lo, hi) };
        if (i && unit_int(0, 9) == 0)
            p[i] = p[i - 1];
        if (grid == 1)
            p[i] = (struct point){ round(p[i].x), round(p[i].y) };
        if (grid == 2)
            p[i] = (struct point){ round(p[i].x * 10) / 10, round(p[i].y * 10) / 10 };
        if (unit_int(0, 30) == 0 && fabs(p[i].x) <= 100)
            p[i].x *= unit_int(-30, 30);
        if (unit_int(0, 30) == 0 && fabs(p[i].y) <= 100)
            p[i].y *= unit_int(-30, 30);
    }
}

static void test_polygons(void)
{
    int some = 0;

    for (int k = 0; k < 5000; k++) {
        struct frame f = { unit_int(1, SIDE), unit_int(1, SIDE) };
        struct point p[2][12];
        struct ring r[2] = { { .at = p[0], .n = (size_t)unit_int(0, 12) },
                             { .at = p[1], .n = (size_t)unit_int(1, 9) } };
        struct rle want[2], got;

        random_ring(p[0], r[0].n);
        random_ring(p[1], r[1].n);
        want[0] = plain_polygon(&r[0], f);
        want[1] = plain_polygon(&r[1], f);
        got = rle_from_rings(&arena, &(struct rings){ r, 1 }, f);
        CHECK(is_canonical(&got) && rle_equal(&got, &want[0]));
        some += rle_area(&got) > 0;
        got = rle_from_rings(&arena, &(struct rings){ r, 2 }, f);
        want[0] = rle_merge(&arena, want, 2, false);
        CHECK(is_canonical(&got) && rle_equal(&got, &want[0]));
        arena_reset(&arena);
    }
    CHECK(some > 2000);
}

static uint64_t polygon_area(struct point *p, size_t n, struct frame f)
{
    struct ring r = { .at = p, .n = n };
    struct rle m = rle_from_rings(&arena, &(struct rings){ &r, 1 }, f);

    CHECK(f.width < 1 || f.height < 1 || is_canonical(&m));
    return rle_area(&m);
}

static void test_polygons_odd(void)
{
    struct frame f = { 50, 40 };
    struct point bow[] = { { 0, 0 }, { 20, 20 }, { 20, 0 }, { 0, 20 } };
    struct point box[] = { { 10, 10 }, { 20, 10 }, { 20, 20 }, { 10, 20 } };
    struct point wild[] = { { NAN, 1e300 }, { INFINITY, -1e300 }, { -INFINITY, 7 }, { 4e8, NAN } };
    struct point huge[] = { { -1e7, -1e7 }, { 1e7, -1e7 }, { 1e7, 1e7 }, { -1e7, 1e7 } };
    struct point slant[] = { { -1e7, -1e7 }, { 1e7, 1e7 }, { -1e7, 1e7 } };
    struct point *zigzag = ARENA_ARRAY(&arena, struct point, 100000);

    CHECK(polygon_area(bow, 4, f) == 200);
    CHECK(polygon_area(box, 4, f) == 100);
    /* Two points do not count as a box here. */
    CHECK(polygon_area(box, 2, f) == 0 && polygon_area(box, 1, f) == 0);
    CHECK(polygon_area(box, 0, f) == 0);
    CHECK(polygon_area(box, 4, (struct frame){ 0, 0 }) == 0);
    CHECK(polygon_area(huge, 4, f) == 2000);
    /* Lower left half of a frame cut on its diagonal, to the rounding of pixels on it. */
    CHECK_NEAR((double)polygon_area(slant, 3, (struct frame){ 40, 40 }), 800, 20);
    CHECK(polygon_area(wild, 4, f) <= 2000);
    /* Many edges over many columns stay within the pixels there are. */
    for (size_t i = 0; i < 100000; i++)
        zigzag[i] = (struct point){ i & 1 ? 60 : -10, unit_double(0, 40) };
    CHECK(polygon_area(zigzag, 100000, f) <= 2000);
    arena_reset(&arena);
}

int main(void)
{
    static const struct unit_test tests[] = {
        TEST(test_golden),           TEST(test_strings),     TEST(test_strings_refused),
        TEST(test_invalid),          TEST(test_large),       TEST(test_round_trips),
        TEST(test_labels),           TEST(test_merge),       TEST(test_move_by_index),
        TEST(test_move_by_matrix),   TEST(test_area_within), TEST(test_outlines),
        TEST(test_outlines_by_hand), TEST(test_polygons),    TEST(test_polygons_odd),
    };
    int status = unit_main(tests, COUNTOF(tests));

    arena_drop(&arena);
    return status;
}
