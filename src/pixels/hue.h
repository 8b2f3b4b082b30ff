/* hue: positions on the color circle of HSV, for functions of colors; without branches, so that
 * loops vectorize.
 *
 * A hue is in sixths of the circle: 0 is red, 2 green, 4 blue, 6 red again. With v the largest of a
 * pixel's colors, mn the smallest and span = v - mn, the saturation is span / v. */
#pragma once

#include <math.h>

static inline float hue_larger(float a, float b)
{
    return a > b ? a : b;
}

static inline float hue_smaller(float a, float b)
{
    return a < b ? a : b;
}

/* Returns v clamped to 0..1. */
static inline float hue_share(float v)
{
    return hue_smaller(1, hue_larger(0, v));
}

/* Returns the hue of a pixel, -1..5; 0 if it is gray. mx is the largest of r, g and b. */
static inline float hue_of(float r, float g, float b, float mx, float span)
{
    float per = 1 / (span > 0 ? span : 1);
    float at_red = (g - b) * per, at_green = 2 + (b - r) * per, at_blue = 4 + (r - g) * per;

    return mx == r ? at_red : mx == g ? at_green : at_blue;
}

/* Maps -6..12 to 0..6. */
static inline float hue_wrap(float h)
{
    h = h < 0 ? h + 6 : h;
    return h >= 6 ? h - 6 : h;
}

/* Return the share of the span that each color has at a hue of 0..6. Along the circle, a color is
 * at 1 for two sixths, falls for one, is at 0 for two, and rises for one. */
static inline float hue_red(float h)
{
    return hue_share(fabsf(h - 3) - 1);
}

static inline float hue_green(float h)
{
    return hue_share(2 - fabsf(h - 2));
}

static inline float hue_blue(float h)
{
    return hue_share(2 - fabsf(h - 4));
}
