/* fuzz_rle: run-length masks from strings and from bits, against plain bitmaps. */
#include "geom/field.h"
#include "geom/rle.h"
#include "fuzz.h"

enum { SIDE = 48 };

static struct arena arena;

struct bitmap {
    struct frame f;
    uint8_t px[SIDE * SIDE];
};

static uint8_t bit(const struct bitmap *b, int x, int y)
{
    if (x < 0 || y < 0 || x >= b->f.width || y >= b->f.height)
        return 0;
    return b->px[y * b->f.width + x];
}

static struct bitmap bitmap_of(const struct rle *m)
{
    struct bitmap b = { .f = { m->width, m->height } };

    rle_to_bitmap(m, b.px, (size_t)m->width);
    return b;
}

static struct rle rle_of(const struct bitmap *b)
{
    return rle_from_bitmap(&arena, b->px, (size_t)b->f.width, b->f);
}

static bool is_canonical(const struct rle *m)
{
    for (size_t i = 1; i < m->n; i++)
        if (!m->run[i])
            return false;
    return rle_is_valid(m) && m->n > 0;
}

/* --- strings --- */

static void check_string(const struct rle *m)
{
    const char *string = rle_to_string(&arena, m);
    struct rle again, canonical = rle_canonical(&arena, m);

    MUST(rle_is_valid(m));
    MUST(rle_from_string(&arena, (struct slice){ string, strlen(string) }, m->height, m->width,
                         &again));
    MUST(rle_equal(m, &again) && rle_equal(m, &canonical));
    MUST(again.n == m->n && memcmp(again.run, m->run, m->n * sizeof *m->run) == 0);
    MUST(canonical.n == m->n);
}

/* --- measures --- */

static void check_measures(const struct rle *m, const struct bitmap *b)
{
    struct box is = rle_bounds(m), want = { SIDE, SIDE, 0, 0 };
    uint64_t area = 0;

    for (int y = 0; y < b->f.height; y++)
        for (int x = 0; x < b->f.width; x++)
            if (bit(b, x, y)) {
                area++;
                want = (struct box){ fmin(want.x0, x), fmin(want.y0, y), fmax(want.x1, x + 1),
                                     fmax(want.y1, y + 1) };
            }
    if (!area)
        want = (struct box){ 0 };
    MUST(rle_area(m) == area);
    MUST(is.x0 == want.x0 && is.y0 == want.y0 && is.x1 == want.x1 && is.y1 == want.y1);
}

/* Outlines, summed even-odd, are the mask. */
static void check_outlines(const struct rle *m)
{
    struct rle sum, ring;
    double area = 0;
    bool *hole = NULL;
    struct rings rings = rle_to_rings(&arena, m, &hole);

    sum = rle_from_rings(&arena, &(struct rings){ 0 }, (struct frame){ m->width, m->height });
    for (size_t i = 0; i < rings.n; i++) {
        struct rle a, b;

        area += hole[i] ? -ring_area(&rings.ring[i]) : ring_area(&rings.ring[i]);
        ring = rle_from_rings(&arena, &(struct rings){ &rings.ring[i], 1 },
                              (struct frame){ m->width, m->height });
        a = rle_without(&arena, &sum, &ring);
        b = rle_without(&arena, &ring, &sum);
        sum = rle_merge(&arena, (struct rle[]){ a, b }, 2, false);
    }
    MUST(area == (double)rle_area(m));
    MUST(rle_equal(&sum, m));
}

/* --- moving --- */

static void check_bits(const struct rle *m, struct frame f, const uint8_t *want)
{
    struct bitmap is;

    MUST(m->width == f.width && m->height == f.height && is_canonical(m));
    is = bitmap_of(m);
    MUST(memcmp(is.px, want, (size_t)f.width * (size_t)f.height) == 0);
}

static int32_t *feed_indices(struct feed *feed, int n, int limit)
{
    int32_t *index = ARENA_ARRAY(&arena, int32_t, (size_t)n);
    int at = feed_int(feed, -8, limit), step = feed_int(feed, -3, 3), every = feed_int(feed, 1, 4);

    /* Some steps are taken only every few pixels, as where a resize enlarges. */
    for (int i = 0; i < n; i++) {
        index[i] = at >= 0 && at < limit ? at : -1;
        at += i % every == 0 ? step : 0;
    }
    return index;
}

static void check_index_move(const struct rle *m, const struct bitmap *b, struct feed *feed)
{
    struct frame out = { feed_int(feed, 1, SIDE), feed_int(feed, 1, SIDE) };
    bool swap = feed_byte(feed) & 1;
    struct map map = { .forward = MAT3_IDENTITY,
                       .inverse = MAT3_IDENTITY,
                       .swap = swap,
                       .col = feed_indices(feed, swap ? out.height : out.width, b->f.width),
                       .row = feed_indices(feed, swap ? out.width : out.height, b->f.height) };
    struct rle moved = rle_move(&arena, m, &map, out);
    uint8_t want[SIDE * SIDE];

    for (int y = 0; y < out.height; y++)
        for (int x = 0; x < out.width; x++)
            want[y * out.width + x] = bit(b, map.col[swap ? y : x] < 0 ? -1 : map.col[swap ? y : x],
                                          map.row[swap ? x : y] < 0 ? -1 : map.row[swap ? x : y]);
    check_bits(&moved, out, want);
}

static bool feed_matrix(struct feed *feed, struct map *map)
{
    double *m = map->forward.m;

    *map = (struct map){ .forward = MAT3_IDENTITY };
    for (int i = 0; i < 6; i++)
        m[i] = feed_int(feed, -40, 40) / (i % 3 == 2 ? 1.0 : 16.0);
    if (feed_byte(feed) & 1)
        for (int i = 6; i < 8; i++)
            m[i] = feed_int(feed, -40, 40) / 2048.0;
    return mat3_invert(&map->forward, &map->inverse);
}

static void check_matrix_move(const struct rle *m, const struct bitmap *b, struct feed *feed)
{
    struct frame out = { feed_int(feed, 1, SIDE), feed_int(feed, 1, SIDE) };
    uint8_t want[SIDE * SIDE];
    struct rle moved;
    struct map map;

    if (!feed_matrix(feed, &map))
        return;
    moved = rle_move(&arena, m, &map, out);
    for (int y = 0; y < out.height; y++)
        for (int x = 0; x < out.width; x++) {
            struct point p = mat3_apply_centre(&map.inverse, x, y);
            bool near = p.x > -1 && p.y > -1 && p.x < SIDE + 1 && p.y < SIDE + 1;

            want[y * out.width + x] = near ? bit(b, (int)floor(p.x), (int)floor(p.y)) : 0;
        }
    check_bits(&moved, out, want);
}

static void check_field_move(const struct rle *m, const struct bitmap *b, struct feed *feed)
{
    enum { NODES = 3 };
    float d[2][NODES * NODES], *dx = ARENA_ARRAY(&arena, float, SIDE), *dy, *line;
    uint8_t want[SIDE * SIDE];
    struct point step = { feed_int(feed, 1, 24), feed_int(feed, 1, 24) };
    struct map map = { .forward = MAT3_IDENTITY, .inverse = MAT3_IDENTITY };
    struct rle moved;

    for (int i = 0; i < 2 * NODES * NODES; i++)
        d[i / (NODES * NODES)][i % (NODES * NODES)] = (float)feed_int(feed, -40, 40) / 4;
    map.field =
        field_make(&arena, b->f, NODES, NODES, (struct point){ 0.5, 0.5 }, step, d[0], d[1]);
    moved = rle_move(&arena, m, &map, b->f);
    dy = ARENA_ARRAY(&arena, float, SIDE);
    line = ARENA_ARRAY(&arena, float, NODES + 1);
    for (int y = 0; y < b->f.height; y++) {
        field_line(map.field, map.field->dx, y, 0, b->f.width, line, dx);
        field_line(map.field, map.field->dy, y, 0, b->f.width, line, dy);
        for (int x = 0; x < b->f.width; x++) {
            struct point p = field_centre(x, y, dx[x], dy[x]);

            want[y * b->f.width + x] = bit(b, (int)floor(p.x), (int)floor(p.y));
        }
    }
    check_bits(&moved, b->f, want);
}

/* --- two masks --- */

static struct rle feed_mask(struct feed *feed, struct frame f)
{
    struct bitmap b = { .f = f };
    bool value = false;

    /* Runs along the rows. */
    for (int i = 0; i < f.width * f.height; value = !value)
        for (int n = feed->left ? feed_int(feed, 0, 255) : SIDE * SIDE; n && i < f.width * f.height;
             n--)
            b.px[i++] = value;
    return rle_of(&b);
}

static void check_pair(const struct rle *m, const struct bitmap *b, struct feed *feed)
{
    struct rle pair[2] = { *m, feed_mask(feed, b->f) };
    struct bitmap other = bitmap_of(&pair[1]);
    struct rle either = rle_merge(&arena, pair, 2, false), both = rle_merge(&arena, pair, 2, true);
    struct rle rest = rle_without(&arena, &pair[0], &pair[1]);
    struct bitmap want[3] = { *b, *b, *b };
    double iou = rle_iou(&pair[0], &pair[1], false);

    for (int i = 0; i < b->f.width * b->f.height; i++) {
        want[0].px[i] |= other.px[i];
        want[1].px[i] &= other.px[i];
        want[2].px[i] &= !other.px[i];
    }
    check_bits(&either, b->f, want[0].px);
    check_bits(&both, b->f, want[1].px);
    check_bits(&rest, b->f, want[2].px);
    MUST(iou == (rle_area(&both) ? (double)rle_area(&both) / (double)rle_area(&either) : 0));
    MUST(rle_iou(&pair[0], &pair[1], true) >= iou);
}

/* --- */

static void check_mask(const struct rle *m, struct feed *feed)
{
    struct bitmap b = bitmap_of(m);
    struct rle again = rle_of(&b), turned = rle_transpose(&arena, m);

    MUST(rle_equal(m, &again));
    MUST(turned.width == m->height && turned.height == m->width);
    again = rle_transpose(&arena, &turned);
    MUST(rle_equal(m, &again));
    check_measures(m, &b);
    check_outlines(m);
    check_index_move(m, &b, feed);
    check_matrix_move(m, &b, feed);
    check_field_move(m, &b, feed);
    check_pair(m, &b, feed);
}

/* The input is two bytes of size and a form of the mask; a small string ends with a space. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct feed feed = { data, size };
    unsigned kind = feed_byte(&feed);
    struct frame f = { feed_int(&feed, 1, SIDE), feed_int(&feed, 1, SIDE) };
    const uint8_t *end = feed.left ? memchr(feed.at, ' ', feed.left) : NULL;
    struct slice string = feed_copy(feed.at, end ? (size_t)(end - feed.at) : feed.left);
    struct rle m;

    /* Large frames are for strings alone. */
    if (kind % 4 == 1)
        f = (struct frame){ f.width << 25, f.height << 25 };
    if (kind % 2 == 0) {
        m = feed_mask(&feed, f);
        check_string(&m);
        check_mask(&m, &feed);
    } else if (rle_from_string(&arena, string, f.height, f.width, &m)) {
        MUST(is_canonical(&m) || kind % 4 == 1);
        check_string(&m);
        feed = (struct feed){ end, end ? (size_t)(data + size - end) : 0 };
        if (kind % 4 != 1)
            check_mask(&m, &feed);
    }
    slice_free(string);
    arena_reset(&arena);
    return 0;
}
