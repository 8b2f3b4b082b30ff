/* canvas: the picture while it is painted: colours, shapes with shading, light and shadow. */
#pragma once

#include "shape.h"

struct rgb {
    double r, g, b; /* 0..1, as stored (sRGB) */
};

struct canvas {
    int w, h;
    struct rgb *px;
    double *alpha; /* 1 unless the scene clears it */
    double *clip;  /* coverage that all painting is multiplied by; NULL for none */
    uint32_t seed; /* each painted shape takes the next, so that no two have the same grain */
};

/* How a shape is filled: a gradient across its bounds, with fractal grain over it. */
struct paint {
    struct rgb from, to;
    double turn;          /* of the gradient: 0 is downwards, 90 to the left, -90 to the right */
    double grain, gx, gy; /* the grain's strength and its size in pixels */
    double ball;          /* 0 flat .. 1 shaded like a ball, lit from the upper left */
    double gloss;         /* a highlight's strength */
};

struct canvas canvas_new(int w, int h, uint32_t seed);
void canvas_drop(struct canvas *);

struct rgb hex(unsigned rrggbb);
struct rgb mix(struct rgb, struct rgb, double share);
struct paint flat(unsigned rrggbb);
struct paint graded(unsigned from, unsigned to, double grain, double size);
struct paint ball(unsigned rrggbb, double gloss);

void fill(struct canvas *, struct ring, struct paint);
void fill_alpha(struct canvas *, struct ring, struct paint, double opacity);
/* A line of some width with round ends. */
void line(struct canvas *, double x0, double y0, double x1, double y1, double width, struct paint);
/* Soft light (adds) and soft shade (multiplies) in an ellipse. */
void glow(struct canvas *, double cx, double cy, double rx, double ry, unsigned rrggbb,
          double strength);
void shade(struct canvas *, double cx, double cy, double rx, double ry, double strength);
/* Clouds between two heights. */
void clouds(struct canvas *, double y0, double y1, unsigned rrggbb, double amount, double size);
/* Haze that thickens to full at y1. */
void haze(struct canvas *, double y0, double y1, unsigned rrggbb, double strength);
/* Draws the picture above the water line, upside down and rippled, over the rows below it. */
void reflection(struct canvas *, int water_line, int y1, double strength, double ripple);
/* Sparks of light on water. */
void glitter(struct canvas *, struct ring, unsigned rrggbb, double amount);
/* Applies the effects of a lens and a sensor: a little blur, darker corners, noise. */
void develop(struct canvas *, double blur, double corners, double noise);
