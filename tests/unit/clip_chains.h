/* clip_chains: random chains of crops, pads, flips, turns, scales and tilts, random coordinates
 * that they move, and the comparison of the result with the truth; for test_clip.c. */
#pragma once

#include "sample/sample.h"

#include "unit.h"

#include <float.h>
#include <string.h>

enum { CASES = 340000, MAX_STEPS = 4, MAX_POINTS = 9, ROOM = 256 };

static size_t cases(void)
{
    return unit_setting("CLIP_CASES", CASES);
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
    struct step step[MAX_STEPS];
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

/* Maps about the center, with a scale and a shift by a fraction of pixels. */
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
    struct chain c = { .in = { unit_int(1, 120), unit_int(1, 120) }, .n = unit_int(1, MAX_STEPS) };
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

/* Returns a coordinate along one axis: at an edge of the image or of the first crop, beside it, or
 * anywhere, also far outside. All are multiples of 2^-96 below 2^26. */
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

/* --- lockstep's result --- */

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
    sample_finalize(&s, &rules);
    return s;
}

/* --- the truth --- */

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

/* Exact state of an object after a chain. */
struct truth {
    long double visibility, area; /* area: its outline's at the end / at the beginning */
    long double scale;            /* of areas, by all maps */
    long double width;            /* the least that was left of it one way, in pixels */
    long double rounding;         /* error that doubles may add to a coordinate on the way */
    long double slack;            /* resulting error of the visibility, at worst */
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

    /* No map moved it and no canvas cut it: it stays unchanged, however far outside it is. */
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
