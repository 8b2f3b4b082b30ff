/* hue: places on HSV's circle of colours, for functions of colours; branch-free, for vectors.
 *
 * A hue is in sixths of the circle: 0 is red, 2 green, 4 blue, 6 red again. With v the largest of
 * a pixel's colours, mn the smallest and span = v - mn, its saturation is span / v. */
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

/* v between 0 and 1. */
static inline float hue_share(float v)
{
    return hue_smaller(1, hue_larger(0, v));
}

/* The hue of a pixel, -1..5; 0 where it is gray. */
static inline float hue_of(float r, float g, float b, float mx, float span)
{
    float per = 1 / (span > 0 ? span : 1);
    float at_red = (g - b) * per, at_green = 2 + (b - r) * per, at_blue = 4 + (r - g) * per;

    return mx == r ? at_red : mx == g ? at_green : at_blue;
}

/* -6..12 to 0..6. */
static inline float hue_wrap(float h)
{
    h = h < 0 ? h + 6 : h;
    return h >= 6 ? h - 6 : h;
}

/* How much of the span each colour has at a hue of 0..6: along the circle, each is full for two
 * sixths, falls, is empty for two, and rises. */
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
