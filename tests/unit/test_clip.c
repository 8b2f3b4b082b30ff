/* test_clip: what crops, pads, flips, turns, scales and tilts leave of a million random boxes and
 * polygons, against exact arithmetic: 128-bit fixed point for boxes under whole-pixel maps,
 * Sutherland and Hodgman's clipping in long double for the rest. Neither shares a line with
 * src/geom. What is wholly outside is dropped, what is inside is kept, and the visibility is right
 * within 1e-9 and what doubles make of coordinates: 40 units in the last place of the largest one,
 * divided by the width of what is cut.
 *
 * CLIP_CASES=1000000 in the environment sets how many of each of the three families are drawn. */
#include "../../src/sample/sample.h"

#include "unit.h"

#include <float.h>
#include <string.h>

enum { CASES = 340000, MOST_STEPS = 4, MOST_POINTS = 9, ROOM = 256 };

static size_t cases(void)
{
    const char *given = getenv("CLIP_CASES");

    return given ? strtoul(given, NULL, 10) : CASES;
}

/* --- random chains --- */

enum kind {
    CROP,
    PAD,
    FLIP,
    TURN,
    TRANSPOSE,
    WHOLE_KINDS,
    RESIZE = WHOLE_KINDS,
    ROTATE,
    AFFINE,
    TILT,
    KINDS
};

struct step {
    enum kind kind;
    struct mat3 map;
    struct frame out;
};

struct chain {
    struct frame in;
    struct step step[MOST_STEPS];
    int n;
};

static struct mat3 matrix(double a, double b, double c, double d, double e, double f)
{
    return (struct mat3){ { a, b, c, d, e, f, 0, 0, 1 } };
}

static struct step crop_step(struct frame in)
{
    int w = unit_int(1, in.width), h = unit_int(1, in.height);
    int left = unit_int(0, in.width - w), top = unit_int(0, in.height - h);

    return (struct step){ CROP, matrix(1, 0, -left, 0, 1, -top), { w, h } };
}

static struct step resize_step(struct frame in)
{
    static const double scales[] = { 0.01, 0.3, 0.98, 1.03, 3, 40 };
    double scale = scales[unit_int(0, 5)] * unit_double(0.9, 1.1), stretch = unit_double(0.7, 1.4);
    struct frame out = { (int)fmin(60000, 1 + in.width * scale * stretch),
                         (int)fmin(60000, 1 + in.height * scale) };

    return (struct step){
        RESIZE, matrix((double)out.width / in.width, 0, 0, 0, (double)out.height / in.height, 0),
        out
    };
}

/* About the middle, with a scale and a shift that is no whole number of pixels. */
static struct step affine_step(struct frame in, bool scaled)
{
    static const double few[] = { 45, 30, 90, 180, 1e-9, 89.999999 };
    double angle = unit_int(0, 3) ? unit_double(-180, 180) : few[unit_int(0, 5)];
    double s = scaled ? exp(unit_double(-2, 2)) : 1, t = angle * 3.14159265358979323846 / 180;
    double c = s * cos(t), n = s * sin(t), x = in.width / 2., y = in.height / 2.;
    double dx = scaled ? unit_double(-30, 30) : 0, dy = scaled ? unit_double(-30, 30) : 0;

    return (struct step){ scaled ? AFFINE : ROTATE,
                          matrix(c, -n, x + dx - c * x + n * y, n, c, y + dy - n * x - c * y), in };
}

/* Corners go inwards and outwards, and the image stays in front. */
static struct step tilt_step(struct frame in)
{
    double w = in.width, h = in.height, x = unit_double(-0.4, 0.4) / w,
           y = unit_double(-0.4, 0.4) / h;
    struct step step = affine_step(in, true);

    step.kind = TILT;
    step.map.m[6] = x;
    step.map.m[7] = y;
    return step;
}

static struct step random_step(enum kind kind, struct frame in)
{
    int w = in.width, h = in.height, left, top;

    switch (kind) {
    case CROP:
        return crop_step(in);
    case PAD:
        left = unit_int(0, 40);
        top = unit_int(0, 40);
        return (struct step){ PAD,
                              matrix(1, 0, left, 0, 1, top),
                              { w + left + unit_int(0, 40), h + top + unit_int(0, 40) } };
    case FLIP:
        return (struct step){ FLIP, matrix(-1, 0, w, 0, 1, 0), in };
    case TURN:
        return (struct step){ TURN, matrix(0, 1, 0, -1, 0, w), { h, w } };
    case TRANSPOSE:
        return (struct step){ TRANSPOSE, matrix(0, 1, 0, 1, 0, 0), { h, w } };
    case RESIZE:
        return resize_step(in);
    case TILT:
        return tilt_step(in);
    default:
        return affine_step(in, kind == AFFINE);
    }
}

/* The first is a crop half of the time, and its edges are where coordinates are drawn from. */
static struct chain random_chain(int kinds)
{
    struct chain c = { .in = { unit_int(1, 120), unit_int(1, 120) }, .n = unit_int(1, MOST_STEPS) };
    struct frame now;

    if (!unit_int(0, 4))
        c.in = (struct frame){ unit_int(1, 40000), unit_int(1, 40000) };
    now = c.in;
    for (int i = 0; i < c.n; i++) {
        c.step[i] =
            random_step(i || unit_int(0, 1) ? (enum kind)unit_int(0, kinds - 1) : CROP, now);
        now = c.step[i].out;
    }
    return c;
}

/* --- random coordinates --- */

/* Along one axis: at an edge of the image or of the first crop, a hair or more beside it, or
 * anywhere, far outside as well. All are multiples of 2^-96 below 2^26. */
static double random_place(const struct chain *c, bool vertical)
{
    static const double beside[] = { 0,       0,       0x1p-50, 0x1p-46, 0x1p-40,
                                     0x1p-33, 0x1p-26, 0x1p-20, 0.5,     7 };
    const struct step *first = &c->step[0];
    int size = vertical ? c->in.height : c->in.width;
    double near = -first->map.m[vertical ? 5 : 2];
    double edge[] = { 0, size, near, near + (vertical ? first->out.height : first->out.width) };
    double away = beside[unit_int(0, 9)];

    switch (unit_int(0, 9)) {
    case 0:
        return unit_double(-1e7, 1e7);
    case 1:
    case 2:
    case 3:
        return unit_double(-0.5 * size, 1.5 * size);
    default:
        if (first->kind != CROP)
            return edge[unit_int(0, 1)] + (unit_int(0, 1) ? away : -away);
        return edge[unit_int(0, 3)] + (unit_int(0, 1) ? away : -away);
    }
}

static void random_interval(const struct chain *c, bool vertical, double *lo, double *hi)
{
    double a = random_place(c, vertical), b = random_place(c, vertical);

    if (!unit_int(0, 3)) /* small, and beside where it begins */
        b = a + ldexp(unit_double(1, 2), unit_int(-44, 3));
    *lo = fmin(a, b);
    *hi = fmax(a, b);
    if (*lo == *hi)
        *hi += 1;
}

static struct box random_box(const struct chain *c)
{
    struct box b;

    random_interval(c, false, &b.x0, &b.x1);
    random_interval(c, true, &b.y0, &b.y1);
    return b;
}

/* --- what lockstep makes of it --- */

static struct object boxed(struct arena *arena, struct box b)
{
    struct object o = { .visibility = 1, .has_box = true, .bbox = b, .has_area = true };

    o.outline = ring_of_box(arena, b);
    o.size = box_extent(b);
    o.area = 0.7 * o.size.x * o.size.y;
    return o;
}

static struct map map_of(const struct mat3 *m)
{
    struct map map = { .forward = *m };

    CHECK(mat3_invert(m, &map.inverse));
    return map;
}

static struct sample run_chain(struct arena *arena, const struct chain *c, struct object *o)
{
    static const struct rules rules = { .boxes = BOXES_TIGHT };
    struct sample s = { .arena = arena, .frame = c->in, .objects = o, .n_objects = 1 };

    for (int i = 0; i < c->n; i++) {
        struct map map = map_of(&c->step[i].map);

        sample_move(&s, &map, c->step[i].out);
    }
    sample_settle(&s, &rules);
    return s;
}

/* --- what is true --- */

/* A case that failed, to be read. */
static void print_case(const struct chain *c, const struct ring *ring, const struct object *o)
{
    static const char *const names[] = { "crop",   "pad",    "flip",   "turn", "transpose",
                                         "resize", "rotate", "affine", "tilt" };

    if (unit_failed > 5)
        return;
    fprintf(stderr, "    image %d x %d, points", c->in.width, c->in.height);
    for (size_t i = 0; i < ring->n; i++)
        fprintf(stderr, " %.17g,%.17g", ring->at[i].x, ring->at[i].y);
    for (int i = 0; i < c->n; i++) {
        const struct step *s = &c->step[i];

        fprintf(stderr, "\n    %s to %d x %d:", names[s->kind], s->out.width, s->out.height);
        for (int k = 0; k < 9; k++)
            fprintf(stderr, " %.17g", s->map.m[k]);
    }
    fprintf(stderr, "\n    %s, visibility %.17g, area %.17g, box %.17g %.17g %.17g %.17g\n",
            o->final.dropped ? o->final.reason : "kept", o->visibility, o->area, o->final.box.x0,
            o->final.box.y0, o->final.size.x, o->final.size.y);
}

/* Of an object after a chain. */
struct truth {
    long double visibility, area; /* area: its outline's at the end / at the beginning */
    long double scale;            /* of areas, by all maps */
    long double width;            /* the least that was left of it one way, in pixels */
    long double rounding;         /* what doubles may add to a coordinate on the way */
    long double slack;            /* what that means for the visibility, at worst */
    bool unsure;                  /* by rounding alone a canvas cuts or does not */
};

static void print_truth(const struct truth *t)
{
    if (unit_failed <= 5)
        fprintf(stderr,
                "    true: visibility %.17Lg, area %.17Lg, width %Lg, rounding %Lg, slack %Lg\n",
                t->visibility, t->area, t->width, t->rounding, t->slack);
}

struct count {
    size_t kept, dropped, between, strict;
    double worst;
};

static void tally(const struct object *o, const struct truth *t, struct count *n)
{
    double off = (double)fabsl(o->visibility - t->visibility);
    double slack = 1e-9 + (double)t->slack;

    /* No map moved it and no canvas cut it: it stays as it is, however far outside it lies. */
    if (!o->changes) {
        n->kept += CHECK(!o->final.dropped && off <= slack);
        return;
    }
    if (t->width <= 1e-5L * t->rounding) {
        n->dropped += CHECK(o->final.dropped);
        return;
    }
    if (t->width < 1000 * t->rounding) {
        n->between++;
        return;
    }
    n->kept += CHECK(!o->final.dropped);
    if (o->final.dropped)
        return;
    CHECK(off <= slack);
    if (t->slack < 1e-10) {
        n->strict++;
        n->worst = fmax(n->worst, off);
    }
}

static void print_count(const char *what, const struct count *n)
{
    printf("# %s: %zu kept (%zu without allowance for doubles, visibility off by %.2g at most), "
           "%zu dropped, %zu left by rounding alone\n",
           what, n->kept, n->strict, n->worst, n->dropped, n->between);
}

/* --- boxes under whole-pixel maps, in units of 2^-96 pixels --- */

__extension__ typedef __int128 fixed;

static fixed fixed_of(double v)
{
    int exponent;
    double mantissa = frexp(v, &exponent);

    /* 53 bits at most, shifted by a whole number of places. */
    return exponent - 53 + 96 >= 0
               ? (fixed)(int64_t)ldexp(mantissa, 53) * ((fixed)1 << (exponent - 53 + 96))
               : (fixed)(int64_t)ldexp(mantissa, exponent + 96);
}

struct span {
    fixed lo, hi;
};

static long double length(struct span s)
{
    return s.hi > s.lo ? ldexpl((long double)(s.hi - s.lo), -96) : 0;
}

static struct span cut(struct span s, bool low, bool high, int size)
{
    if (low && s.lo < 0)
        s.lo = 0;
    if (high && s.hi > fixed_of(size))
        s.hi = fixed_of(size);
    return s;
}

/* One axis: to a * v + shift. */
static struct span shifted(struct span s, double a, double shift)
{
    fixed by = fixed_of(shift);

    return a > 0 ? (struct span){ s.lo + by, s.hi + by } : (struct span){ by - s.hi, by - s.lo };
}

/* Is the span at an edge, give or take? */
static bool is_near(struct span s, int size, long double slack)
{
    fixed give = (fixed)ldexpl(slack, 96), edge[] = { 0, fixed_of(size) };
    bool near = false;

    for (int i = 0; i < 2; i++)
        near |= s.lo - give <= edge[i] && s.hi + give >= edge[i];
    return near;
}

/* The axes of the source that the axes of the result show. */
static void whole_step(const struct step *step, struct frame in, struct span axis[2],
                       struct truth *t)
{
    const double *m = step->map.m;
    bool swap = m[0] == 0;
    double a[2] = { swap ? m[1] : m[0], swap ? m[3] : m[4] }, by[2] = { m[2], m[5] };
    int from[2] = { swap ? in.height : in.width, swap ? in.width : in.height };
    int to[2] = { step->out.width, step->out.height };
    struct span was[2] = { axis[swap], axis[!swap] };

    for (int k = 0; k < 2; k++) {
        double near = a[k] > 0 ? by[k] : by[k] - from[k];
        struct span moved = shifted(was[k], a[k], by[k]);
        struct span left = cut(moved, near<0, near + from[k]> to[k], to[k]);
        long double before = length(moved), after = length(left);

        t->unsure |= before < 8 * t->rounding && is_near(moved, to[k], 8 * t->rounding);

        t->visibility *= after / before;
        t->width = fminl(t->width, after);
        t->slack += 40 * t->rounding / before;
        axis[k] = left;
        if (left.hi <= left.lo)
            return;
    }
}

static double magnitude_of(struct box b, const struct chain *c)
{
    double m = fmax(fmax(fabs(b.x0), fabs(b.x1)), fmax(fabs(b.y0), fabs(b.y1)));

    m = fmax(m, c->in.width + c->in.height);
    for (int i = 0; i < c->n; i++)
        m = fmax(m, c->step[i].out.width + c->step[i].out.height);
    return m;
}

static struct truth whole_truth(struct box b, const struct chain *c)
{
    struct span axis[2] = { { fixed_of(b.x0), fixed_of(b.x1) },
                            { fixed_of(b.y0), fixed_of(b.y1) } };
    long double whole = length(axis[0]) * length(axis[1]);
    struct truth t = { .visibility = 1, .width = fminl(length(axis[0]), length(axis[1])) };
    struct frame now = c->in;
    struct span end[2];

    t.rounding = DBL_EPSILON * magnitude_of(b, c);
    t.slack = 40 * t.rounding / t.width;
    for (int i = 0; i < c->n && t.width > 0; i++) {
        whole_step(&c->step[i], now, axis, &t);
        now = c->step[i].out;
    }
    for (int k = 0; k < 2; k++)
        t.unsure |= length(axis[k]) < 8 * t.rounding &&
                    is_near(axis[k], k ? now.height : now.width, 8 * t.rounding);
    end[0] = cut(axis[0], true, true, now.width);
    end[1] = cut(axis[1], true, true, now.height);
    t.area = length(end[0]) * length(end[1]) / whole;
    t.width = fminl(t.width, fminl(length(end[0]), length(end[1])));
    if (t.width > 0) /* exactly: no rounding of the truth's own */
        t.width = fmaxl(t.width, 2e-3L * t.rounding);
    return t;
}

static void test_whole(void)
{
    struct arena arena = { 0 };
    struct count n = { 0 };

    for (size_t i = cases(); i > 0; i--) {
        struct chain c = random_chain(WHOLE_KINDS);
        struct box b = random_box(&c);
        struct truth t = whole_truth(b, &c);
        struct object o = boxed(&arena, b);
        struct ring ring = ring_of_box(&arena, b);
        size_t before = unit_failed;
        double area = o.area;
        struct point extent = o.size;

        run_chain(&arena, &c, &o);
        if (!t.unsure)
            tally(&o, &t, &n);
        if (!o.final.dropped && o.changes && t.width >= 1000 * t.rounding) {
            CHECK(fabsl(o.area / area - t.area) <= 1e-9 + 2 * t.slack);
            CHECK(!box_is_empty(o.final.box) && o.final.size.x > 0 && o.final.size.y > 0);
        }
        /* Not cut: as annotated, to the bit. */
        if (!o.final.dropped && !(o.changes & CHANGE_CUT))
            CHECK(o.area == area && o.final.size.x + o.final.size.y == extent.x + extent.y);
        if (t.visibility == 1 && t.area == 1 && t.width >= 1000 * t.rounding)
            CHECK(!(o.changes & CHANGE_CUT) && o.visibility == 1);
        if (unit_failed > before)
            print_truth(&t), print_case(&c, &ring, &o);
        arena_reset(&arena);
    }
    print_count("whole", &n);
    CHECK(n.kept > cases() / 10 && n.dropped > cases() / 10 && n.strict > n.kept / 3);
    arena_drop(&arena);
}

/* --- everything else, in long double --- */

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

/* Does a side of the old canvas, moved, lie beyond that of the new one? By rounding alone it may.
 */
static bool is_lost(long double beyond, long double rounding, struct truth *t)
{
    t->unsure |= beyond > rounding && beyond < 1000 * rounding;
    return beyond > rounding;
}

/* How large coordinates may be on the way through a step, where none is nearer to the horizon. */
static double grown(const struct step *step, double most, long double nearest)
{
    const double *m = step->map.m;
    double w = (double)nearest, wide = (fabs(m[6]) + fabs(m[7])) * most + fabs(m[8]);

    most = fmax((fabs(m[0]) + fabs(m[1])) * most + fabs(m[2]),
                (fabs(m[3]) + fabs(m[4])) * most + fabs(m[5])) /
           w;
    return fmax(most, step->out.width + step->out.height) * fmax(1, wide / w);
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
    double most = 0;

    for (int i = 0; i < 4; i++) {
        struct long_point p = long_apply(&step->map, corner[i]);

        nearest = fminl(nearest, depth_of(&step->map, corner[i]));
        x0 = fminl(x0, p.x);
        x1 = fmaxl(x1, p.x);
        y0 = fminl(y0, p.y);
        y1 = fmaxl(y1, p.y);
    }
    for (int i = 0; i < r->n; i++)
        most = fmax(most, (double)fmaxl(fabsl(r->at[i].x), fabsl(r->at[i].y)));
    here = 4 * DBL_EPSILON * grown(step, in.width + in.height, nearest);
    for (int i = 0; i < r->n; i++)
        nearest = fminl(nearest, depth_of(&step->map, r->at[i]));
    if (nearest < 0.05L) { /* behind the horizon, or nearly: other tests ask for that */
        t->unsure = true;
        r->n = 0;
        return;
    }
    t->rounding = (2 * DBL_EPSILON * grown(step, fmax(most, in.width + in.height), nearest) +
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
    /* Tilts squeeze far parts: where doubles leave few digits, nothing is said. */
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
    r = (struct ring){ .at = ARENA_ARRAY(arena, struct point, MOST_POINTS),
                       .n = (size_t)unit_int(3, MOST_POINTS) };
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

int main(void)
{
    static const struct unit_test tests[] = { TEST(test_whole), TEST(test_boxes),
                                              TEST(test_polygons) };

    return unit_main(tests, COUNTOF(tests));
}
