/* shape: the outlines everything in the samples is drawn and labelled from.
 *
 * Points are continuous: pixel (i, j) covers [j, j+1) x [i, i+1). A ring is closed and even-odd; a
 * shape is the union of its rings. Values, no heap: a sample is small. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#define RING_MAX 480
#define SHAPE_MAX 48

struct pt {
    double x, y;
};

struct ring {
    int n;
    struct pt at[RING_MAX];
};

struct shape {
    int n;
    struct ring ring[SHAPE_MAX];
};

struct bounds {
    double x0, y0, x1, y1;
};

void ring_add(struct ring *, double x, double y);
struct ring ring_of(const double *xy, int n);
struct ring ring_box(double x0, double y0, double x1, double y1);
struct ring ring_rounded(double x0, double y0, double x1, double y1, double radius);
struct ring ring_ellipse(double cx, double cy, double rx, double ry, double degrees);
/* A disc whose rim wobbles by `rough` (a share of the radius): leaves, stones, clouds. */
struct ring ring_blob(double cx, double cy, double rx, double ry, double rough, uint32_t seed);
/* A limb: the hull of two discs. */
struct ring ring_limb(struct pt a, double ra, struct pt b, double rb);
/* A smooth closed curve through the n points. */
struct ring ring_smooth(const double *xy, int n);
/* From unit coordinates: x' = x + w * u (mirrored when w < 0), y' = y + h * v. */
struct ring ring_placed(struct ring, double x, double y, double w, double h);
struct ring ring_turned(struct ring, struct pt about, double degrees);

struct bounds ring_bounds(const struct ring *);
struct bounds shape_bounds(const struct shape *);
double ring_area(const struct ring *);
void ring_round(struct ring *, double unit);
void shape_add(struct shape *, struct ring);
/* The part of a ring with x < at (keep_left) or x > at, for rings that a vertical line crosses at
 * most twice; dies otherwise. */
struct ring ring_cut(const struct ring *, double at, bool keep_left);

/* Coverage of the pixels of one row, 0..1, added to nothing: row[w] is overwritten. */
void ring_cover(const struct ring *, int y, double *row, int w);
/* The x of all crossings of a horizontal line, sorted; how many. */
int ring_crossings(const struct ring *, double y, double *x, int room);

/* The outer outlines of the union inside a frame, simplified to within about a third of a pixel;
 * holes are closed. */
void shape_trace(const struct shape *, int w, int h, struct shape *out);

double degrees(double);
