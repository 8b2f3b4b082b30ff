/* shape: building rings, measuring them, and covering pixels with them. */
#include "shape.h"
#include "noise.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define SUBROWS 8
#define CROSSINGS 128

double degrees(double d)
{
    return d * M_PI / 180;
}

void ring_add(struct ring *r, double x, double y)
{
    if (r->n == RING_MAX) {
        fprintf(stderr, "make_samples: an outline has more than %d points\n", RING_MAX);
        exit(1);
    }
    r->at[r->n++] = (struct pt){ x, y };
}

struct ring ring_of(const double *xy, int n)
{
    struct ring r = { .n = 0 };

    for (int i = 0; i < n; i++)
        ring_add(&r, xy[2 * i], xy[2 * i + 1]);
    return r;
}

struct ring ring_box(double x0, double y0, double x1, double y1)
{
    return ring_of((double[]){ x0, y0, x1, y0, x1, y1, x0, y1 }, 4);
}

struct ring ring_rounded(double x0, double y0, double x1, double y1, double radius)
{
    const double cx[] = { x1 - radius, x1 - radius, x0 + radius, x0 + radius };
    const double cy[] = { y0 + radius, y1 - radius, y1 - radius, y0 + radius };
    struct ring r = { .n = 0 };

    for (int corner = 0; corner < 4; corner++)
        for (int k = 0; k <= 4; k++) {
            double a = degrees(-90 + 90 * corner + 22.5 * k);

            ring_add(&r, cx[corner] + radius * cos(a), cy[corner] + radius * sin(a));
        }
    return r;
}

struct ring ring_ellipse(double cx, double cy, double rx, double ry, double turn)
{
    /* Enough points that the chords stay within a tenth of a pixel. */
    int n = (int)(8 + 5 * sqrt(fmax(rx, ry)));
    double c = cos(degrees(turn)), s = sin(degrees(turn));
    struct ring r = { .n = 0 };

    for (int i = 0; i < n; i++) {
        double a = 2 * M_PI * i / n, x = rx * cos(a), y = ry * sin(a);

        ring_add(&r, cx + c * x - s * y, cy + s * x + c * y);
    }
    return r;
}

struct ring ring_blob(double cx, double cy, double rx, double ry, double rough, uint32_t seed)
{
    int n = (int)(16 + 6 * sqrt(fmax(rx, ry)));
    struct ring r = { .n = 0 };

    for (int i = 0; i < n; i++) {
        double a = 2 * M_PI * i / n;
        double k = 1 + rough * noise_fractal(2.5 * cos(a) + 9, 2.5 * sin(a) + 9, seed, 4);

        ring_add(&r, cx + k * rx * cos(a), cy + k * ry * sin(a));
    }
    return r;
}

struct ring ring_limb(struct pt a, double ra, struct pt b, double rb)
{
    double along = atan2(b.y - a.y, b.x - a.x);
    struct ring r = { .n = 0 };

    for (int k = 0; k <= 8; k++) {
        double t = along + M_PI / 2 + M_PI * k / 8;

        ring_add(&r, a.x + ra * cos(t), a.y + ra * sin(t));
    }
    for (int k = 0; k <= 8; k++) {
        double t = along - M_PI / 2 + M_PI * k / 8;

        ring_add(&r, b.x + rb * cos(t), b.y + rb * sin(t));
    }
    return r;
}

/* Catmull-Rom between p[1] and p[2]. */
static double spline(const double p[4], double t)
{
    return p[1] + 0.5 * t *
                      (p[2] - p[0] +
                       t * (2 * p[0] - 5 * p[1] + 4 * p[2] - p[3] +
                            t * (3 * (p[1] - p[2]) + p[3] - p[0])));
}

struct ring ring_smooth(const double *xy, int n)
{
    struct ring r = { .n = 0 };

    for (int i = 0; i < n; i++)
        for (int k = 0; k < 5; k++) {
            double x[4], y[4];

            for (int j = 0; j < 4; j++) {
                x[j] = xy[2 * ((i + j + n - 1) % n)];
                y[j] = xy[2 * ((i + j + n - 1) % n) + 1];
            }
            ring_add(&r, spline(x, k / 5.0), spline(y, k / 5.0));
        }
    return r;
}

struct ring ring_placed(struct ring r, double x, double y, double w, double h)
{
    for (int i = 0; i < r.n; i++)
        r.at[i] = (struct pt){ x + w * r.at[i].x, y + h * r.at[i].y };
    return r;
}

struct ring ring_turned(struct ring r, struct pt about, double turn)
{
    double c = cos(degrees(turn)), s = sin(degrees(turn));

    for (int i = 0; i < r.n; i++) {
        double x = r.at[i].x - about.x, y = r.at[i].y - about.y;

        r.at[i] = (struct pt){ about.x + c * x - s * y, about.y + s * x + c * y };
    }
    return r;
}

struct bounds ring_bounds(const struct ring *r)
{
    struct bounds b = { 1e9, 1e9, -1e9, -1e9 };

    for (int i = 0; i < r->n; i++) {
        b.x0 = fmin(b.x0, r->at[i].x);
        b.y0 = fmin(b.y0, r->at[i].y);
        b.x1 = fmax(b.x1, r->at[i].x);
        b.y1 = fmax(b.y1, r->at[i].y);
    }
    return b;
}

struct bounds shape_bounds(const struct shape *s)
{
    struct bounds all = { 1e9, 1e9, -1e9, -1e9 };

    for (int i = 0; i < s->n; i++) {
        struct bounds b = ring_bounds(&s->ring[i]);

        all.x0 = fmin(all.x0, b.x0);
        all.y0 = fmin(all.y0, b.y0);
        all.x1 = fmax(all.x1, b.x1);
        all.y1 = fmax(all.y1, b.y1);
    }
    return all;
}

double ring_area(const struct ring *r)
{
    double sum = 0;

    for (int i = 0; i < r->n; i++) {
        struct pt a = r->at[i], b = r->at[(i + 1) % r->n];

        sum += a.x * b.y - b.x * a.y;
    }
    return fabs(sum) / 2;
}

/* Rounds every point to a multiple of the unit and drops points that fall on the one before. */
void ring_round(struct ring *r, double unit)
{
    struct ring out = { .n = 0 };

    for (int i = 0; i < r->n; i++) {
        double x = round(r->at[i].x / unit) * unit, y = round(r->at[i].y / unit) * unit;
        const struct pt *last = out.n ? &out.at[out.n - 1] : NULL;

        if (!last || hypot(last->x - x, last->y - y) > unit / 2)
            ring_add(&out, x, y);
    }
    if (out.n > 1 &&
        hypot(out.at[0].x - out.at[out.n - 1].x, out.at[0].y - out.at[out.n - 1].y) < unit / 2)
        out.n--;
    *r = out;
}

void shape_add(struct shape *s, struct ring r)
{
    if (s->n == SHAPE_MAX) {
        fprintf(stderr, "make_samples: a shape has more than %d rings\n", SHAPE_MAX);
        exit(1);
    }
    s->ring[s->n++] = r;
}

struct ring ring_cut(const struct ring *r, double at, bool keep_left)
{
    struct ring out = { .n = 0 };
    int crossings = 0;

    for (int i = 0; i < r->n; i++) {
        struct pt a = r->at[i], b = r->at[(i + 1) % r->n];
        bool in = keep_left ? a.x < at : a.x > at, next = keep_left ? b.x < at : b.x > at;

        if (in)
            ring_add(&out, a.x, a.y);
        if (in != next) {
            ring_add(&out, at, a.y + (b.y - a.y) * (at - a.x) / (b.x - a.x));
            crossings++;
        }
    }
    if (crossings > 2) {
        fprintf(stderr, "make_samples: a cut at %g leaves more than two pieces\n", at);
        exit(1);
    }
    return out;
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

int ring_crossings(const struct ring *r, double y, double *x, int room)
{
    int n = 0;

    for (int i = 0; i < r->n && n < room; i++) {
        struct pt a = r->at[i], b = r->at[(i + 1) % r->n];

        if ((a.y <= y) != (b.y <= y))
            x[n++] = a.x + (b.x - a.x) * (y - a.y) / (b.y - a.y);
    }
    qsort(x, (size_t)n, sizeof *x, by_value);
    return n;
}

/* Adds the span's exact share of each pixel it touches. */
static void cover_span(double *row, int w, double x0, double x1, double share)
{
    x0 = fmax(x0, 0);
    x1 = fmin(x1, w);
    for (int x = (int)x0; x < x1; x++)
        row[x] += share * (fmin(x1, x + 1) - fmax(x0, x));
}

void ring_cover(const struct ring *r, int y, double *row, int w)
{
    for (int x = 0; x < w; x++)
        row[x] = 0;
    for (int k = 0; k < SUBROWS; k++) {
        double x[CROSSINGS];
        int n = ring_crossings(r, y + (k + 0.5) / SUBROWS, x, CROSSINGS);

        for (int i = 0; i + 1 < n; i += 2)
            cover_span(row, w, x[i], x[i + 1], 1.0 / SUBROWS);
    }
}
