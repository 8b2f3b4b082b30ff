/* fuzz_polygon: rings clipped, subtracted, covered and drawn, against point-in-ring tests. */
#include "geom/polygon.h"
#include "geom/rle.h"
#include "fuzz.h"

enum { MAX_POINTS = 48, MAX_RINGS = 4, MAX_BOXES = 3, PROBES = 24 };

static struct arena arena;

/* Largest coordinate of ordinary labels; beyond it, only termination is promised. */
static const double ORDINARY = 1e7;

/* --- properties of rings --- */

static double ring_reach(const struct ring *r)
{
    double reach = 0;

    for (size_t i = 0; i < r->n; i++)
        reach = fmax(reach, fmax(fabs(r->at[i].x), fabs(r->at[i].y)));
    return reach;
}

static double rings_reach(const struct rings *r)
{
    double reach = 0;

    for (size_t i = 0; i < r->n; i++)
        reach = fmax(reach, ring_reach(&r->ring[i]));
    return reach;
}

/* Returns the allowed error of areas with coordinates up to `reach`: a millionth of a pixel along
 * an edge. */
static double area_slack(double reach)
{
    return 1e-9 + 1e-7 * (1 + reach) + 1e-12 * reach * reach;
}

static double distance_to_edge(struct point a, struct point b, struct point p)
{
    double dx = b.x - a.x, dy = b.y - a.y, length2 = dx * dx + dy * dy, t = 0;

    if (length2 > 0)
        t = fmin(1, fmax(0, ((p.x - a.x) * dx + (p.y - a.y) * dy) / length2));
    return hypot(a.x + t * dx - p.x, a.y + t * dy - p.y);
}

static bool is_near_edge(const struct ring *r, struct point p)
{
    double near = 1e-4 + 1e-6 * ring_reach(r);

    for (size_t i = 0; i < r->n; i++)
        if (distance_to_edge(r->at[i], r->at[(i + 1) % r->n], p) < near)
            return true;
    return false;
}

static bool is_near_box(struct box b, struct point p)
{
    return fmin(fmin(fabs(p.x - b.x0), fabs(p.x - b.x1)),
                fmin(fabs(p.y - b.y0), fabs(p.y - b.y1))) < 1e-4;
}

static bool is_in_box(struct box b, struct point p)
{
    return p.x > b.x0 && p.x < b.x1 && p.y > b.y0 && p.y < b.y1;
}

/* In how many of the rings? */
static int count_around(const struct rings *r, struct point p)
{
    int n = 0;

    for (size_t i = 0; i < r->n; i++)
        n += ring_contains(&r->ring[i], p);
    return n;
}

static double cross(struct point a, struct point b, struct point c)
{
    return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

static bool edges_meet(struct point a, struct point b, struct point c, struct point d)
{
    double ab_c = cross(a, b, c), ab_d = cross(a, b, d), cd_a = cross(c, d, a);
    double cd_b = cross(c, d, b);

    return fmin(ab_c, ab_d) <= 0 && fmax(ab_c, ab_d) >= 0 && fmin(cd_a, cd_b) <= 0 &&
           fmax(cd_a, cd_b) >= 0 && fmin(a.x, b.x) <= fmax(c.x, d.x) &&
           fmin(c.x, d.x) <= fmax(a.x, b.x) && fmin(a.y, b.y) <= fmax(c.y, d.y) &&
           fmin(c.y, d.y) <= fmax(a.y, b.y);
}

/* True if no edge meets another one, except for the ends of its neighbors. Exact on small integer
 * coordinates; elsewhere a ring that counts as simple is simple except for rounding errors. */
static bool is_simple(const struct ring *r)
{
    size_t n = r->n;

    if (n < 3)
        return false;
    for (size_t i = 0; i < n; i++) {
        struct point a = r->at[i], b = r->at[(i + 1) % n], c = r->at[(i + 2) % n];

        if (cross(a, b, c) == 0)
            return false;
        for (size_t j = i + 2; j < n && (i || j + 1 < n); j++)
            if (edges_meet(a, b, r->at[j], r->at[(j + 1) % n]))
                return false;
    }
    return true;
}

/* --- rings and boxes of the input --- */

static double feed_coordinate(struct feed *feed, unsigned kind)
{
    double v;

    switch (kind) {
    case 0: /* a coarse grid: ties and touching edges */
        return feed_int(feed, 0, 15) * 4;
    case 1: /* pixels' shares in and around the frame */
        return feed_int(feed, -8192, 24575) / 256.0;
    case 2: /* as near and as far as labels go */
        v = feed_int(feed, -32768, 32767);
        return ldexp(v, feed_int(feed, -12, 8));
    default: { /* any double */
        uint64_t bits = 0;

        for (int i = 0; i < 8; i++)
            bits = bits << 8 | feed_byte(feed);
        memcpy(&v, &bits, sizeof v);
        return isfinite(v) ? v : 0;
    }
    }
}

static struct rings feed_rings(struct feed *feed, unsigned kind)
{
    struct rings r = { ARENA_ARRAY(&arena, struct ring, MAX_RINGS),
                       (size_t)feed_int(feed, 1, MAX_RINGS) };

    for (size_t i = 0; i < r.n; i++) {
        size_t n = (size_t)feed_int(feed, i ? 0 : 3, MAX_POINTS);

        r.ring[i] = (struct ring){ .at = ARENA_ARRAY(&arena, struct point, n) };
        while (r.ring[i].n < n && feed->left) {
            double x = feed_coordinate(feed, kind);

            r.ring[i].at[r.ring[i].n++] = (struct point){ x, feed_coordinate(feed, kind) };
        }
    }
    return r;
}

static struct box feed_box(struct feed *feed)
{
    int shift = feed_int(feed, 0, 2); /* half pixels, too */
    double x = feed_int(feed, -16, 100), y = feed_int(feed, -16, 100);
    double w = feed_int(feed, 1, 100), h = feed_int(feed, 1, 100);
    double unit = shift ? 0.5 * shift : 4;

    return (struct box){ x * unit, y * unit, (x + w) * unit, (y + h) * unit };
}

/* --- assertions --- */

/* Points of the plane, on both sides of the box's edge. */
static struct point probe_at(struct box b, int i)
{
    double fx = fmod(0.37 + 0.6180339887 * i, 1), fy = fmod(0.11 + 0.7548776662 * i, 1);

    return (struct point){ b.x0 + (b.x1 - b.x0) * (1.5 * fx - 0.25),
                           b.y0 + (b.y1 - b.y0) * (1.5 * fy - 0.25) };
}

/* Checks, even-odd, that pieces are inside where the ring and the box are, and that they do not
 * overlap. After a subtraction, they must be outside of the box. */
static void check_probes(const struct ring *r, struct box b, const struct rings *pieces,
                         bool outside)
{
    struct box bounds = box_of_points(r->at, r->n);

    for (int i = 0; i < 2 * PROBES; i++) {
        struct point p = probe_at(i % 2 ? bounds : b, i / 2);
        bool inside = is_in_box(b, p) != outside && ring_contains(r, p);

        if (!is_near_edge(r, p) && !is_near_box(b, p))
            MUST(count_around(pieces, p) == inside);
    }
}

static void check_clip(const struct ring *r, struct box b, bool simple)
{
    struct rings cut = ring_clip(&arena, r, b);
    struct box bounds = rings_bounds(&cut);
    double reach = ring_reach(r);

    if (cut.n)
        MUST(bounds.x0 >= b.x0 && bounds.y0 >= b.y0 && bounds.x1 <= b.x1 && bounds.y1 <= b.y1);
    if (reach > ORDINARY)
        return;
    check_probes(r, b, &cut, false);
    if (simple)
        MUST(rings_area(&cut) <= ring_area(r) + area_slack(reach) &&
             rings_area(&cut) <= box_area(b) + area_slack(reach));
}

static void check_subtract(const struct ring *r, struct box b, bool simple)
{
    struct rings one = { (struct ring *)(uintptr_t)r, 1 };
    struct rings left = rings_subtract(&arena, &one, &b, 1), cut = ring_clip(&arena, r, b);
    double reach = ring_reach(r), sum = rings_area(&left) + rings_area(&cut);

    if (reach > ORDINARY)
        return;
    check_probes(r, b, &left, true);
    if (simple)
        MUST(fabs(sum - ring_area(r)) <= area_slack(reach));
}

static void check_together(const struct rings *r, const struct box *box, struct frame f)
{
    struct rings over = { ARENA_ARRAY(&arena, struct ring, MAX_BOXES), MAX_BOXES };
    struct rings left = rings_subtract(&arena, r, box, MAX_BOXES);
    struct rings cut = rings_clip(&arena, r, box[0]);
    struct rle mask = rle_from_rings(&arena, r, f);
    double covered;

    for (size_t i = 0; i < MAX_BOXES; i++)
        over.ring[i] = ring_of_box(&arena, box[i]);
    covered = rings_covered(r, &over);
    rings_overlap(r);
    MUST(rle_is_valid(&mask));
    if (rings_reach(r) > ORDINARY)
        return;
    MUST(covered >= 0 && covered <= 1);
    MUST(isfinite(rings_area(&left)) && isfinite(rings_area(&cut)));
    for (size_t i = 0; i < r->n; i++)
        MUST(isfinite(ring_perimeter(&r->ring[i])));
}

/* The input is a byte that selects the kind of coordinates, boxes, a frame, and rings. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct feed feed = { data, size };
    unsigned kind = feed_byte(&feed) % 4;
    struct frame f = { feed_int(&feed, 1, 64), feed_int(&feed, 1, 64) };
    struct box box[MAX_BOXES];
    struct rings rings;

    for (size_t i = 0; i < MAX_BOXES; i++)
        box[i] = feed_box(&feed);
    rings = feed_rings(&feed, kind);
    for (size_t i = 0; i < rings.n; i++) {
        bool simple = is_simple(&rings.ring[i]);

        if (!rings.ring[i].n)
            continue;
        check_clip(&rings.ring[i], box[0], simple);
        check_subtract(&rings.ring[i], box[0], simple);
    }
    check_together(&rings, box, f);
    arena_reset(&arena);
    return 0;
}
