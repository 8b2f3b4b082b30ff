/* clip_whole: the part of a box that whole-pixel maps leave, in 128-bit fixed point; for
 * test_clip.c. */
#pragma once

#include "clip_chains.h"

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

/* Maps one axis to a * v + shift. */
static struct span shifted(struct span s, double a, double shift)
{
    fixed by = fixed_of(shift);

    return a > 0 ? (struct span){ s.lo + by, s.hi + by } : (struct span){ by - s.hi, by - s.lo };
}

/* True if the span is within `slack` of an edge. */
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
