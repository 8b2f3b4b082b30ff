/* canvas: painting shapes, light and shadow on a picture of doubles. */
#include "canvas.h"
#include "noise.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct canvas canvas_new(int w, int h, uint32_t seed)
{
    size_t n = (size_t)w * (size_t)h;
    struct canvas c = { w, h, calloc(n, sizeof *c.px), calloc(n, sizeof *c.alpha), NULL, seed };

    if (!c.px || !c.alpha)
        abort();
    for (size_t i = 0; i < n; i++)
        c.alpha[i] = 1;
    return c;
}

void canvas_drop(struct canvas *c)
{
    free(c->px);
    free(c->alpha);
    free(c->clip);
}

static double clamp(double v)
{
    return v < 0 ? 0 : v > 1 ? 1 : v;
}

static double smooth_step(double lo, double hi, double v)
{
    double t = clamp((v - lo) / (hi - lo));

    return t * t * (3 - 2 * t);
}

struct rgb hex(unsigned c)
{
    return (struct rgb){ (c >> 16 & 255) / 255.0, (c >> 8 & 255) / 255.0, (c & 255) / 255.0 };
}

struct rgb mix(struct rgb a, struct rgb b, double t)
{
    return (struct rgb){ a.r + t * (b.r - a.r), a.g + t * (b.g - a.g), a.b + t * (b.b - a.b) };
}

static struct rgb scaled(struct rgb c, double k)
{
    return (struct rgb){ c.r * k, c.g * k, c.b * k };
}

static struct rgb lifted(struct rgb c, double d)
{
    return (struct rgb){ c.r + d, c.g + d, c.b + d };
}

struct paint flat(unsigned c)
{
    return (struct paint){ .from = hex(c), .to = hex(c), .gx = 1, .gy = 1 };
}

struct paint graded(unsigned from, unsigned to, double grain, double size)
{
    return (
        struct paint){ .from = hex(from), .to = hex(to), .grain = grain, .gx = size, .gy = size };
}

struct paint ball(unsigned c, double gloss)
{
    struct paint p = graded(c, c, 0.03, 6);

    p.ball = 1;
    p.gloss = gloss;
    return p;
}

static struct rgb paint_at(const struct paint *p, const struct bounds *b, uint32_t seed, double x,
                           double y)
{
    /* Place within the bounds, -1..1 each way. */
    double u = (2 * x - b->x0 - b->x1) / fmax(1e-6, b->x1 - b->x0);
    double v = (2 * y - b->y0 - b->y1) / fmax(1e-6, b->y1 - b->y0);
    double a = degrees(p->turn), t = clamp(0.5 + 0.5 * (v * cos(a) - u * sin(a)));
    struct rgb c = mix(p->from, p->to, t);

    if (p->grain > 0)
        c = lifted(c, p->grain * noise_fractal(x / p->gx, y / p->gy, seed, 4));
    if (p->ball > 0) {
        double z = sqrt(fmax(0, 1 - u * u - v * v));
        double light = -0.45 * u - 0.55 * v + 0.70 * z;

        c = scaled(c, 1 + p->ball * (0.45 * light - 0.22 + 0.10 * z));
    }
    if (p->gloss > 0) {
        double d = hypot(u + 0.38, v + 0.42);

        c = lifted(c, p->gloss * exp(-14 * d * d));
    }
    return c;
}

void fill_alpha(struct canvas *c, struct ring r, struct paint p, double opacity)
{
    struct bounds b = ring_bounds(&r);
    int y0 = (int)fmax(0, floor(b.y0)), y1 = (int)fmin(c->h, ceil(b.y1));
    double *row = calloc((size_t)c->w, sizeof *row);
    uint32_t seed = c->seed++;

    if (!row)
        abort();
    for (int y = y0; y < y1; y++) {
        ring_cover(&r, y, row, c->w);
        for (int x = 0; x < c->w; x++) {
            size_t i = (size_t)y * (size_t)c->w + (size_t)x;
            double k = clamp(row[x]) * opacity * (c->clip ? c->clip[i] : 1);

            if (k > 0) {
                c->px[i] = mix(c->px[i], paint_at(&p, &b, seed, x + 0.5, y + 0.5), k);
                c->alpha[i] += (1 - c->alpha[i]) * k;
            }
        }
    }
    free(row);
}

void fill(struct canvas *c, struct ring r, struct paint p)
{
    fill_alpha(c, r, p, 1);
}

void line(struct canvas *c, double x0, double y0, double x1, double y1, double width,
          struct paint p)
{
    fill(c, ring_limb((struct pt){ x0, y0 }, width / 2, (struct pt){ x1, y1 }, width / 2), p);
}

/* 1 in the middle of an ellipse, smoothly to 0 at its rim. */
static double falloff(double x, double y, double cx, double cy, double rx, double ry)
{
    double d = hypot((x + 0.5 - cx) / rx, (y + 0.5 - cy) / ry);

    return d >= 1 ? 0 : (1 - d * d) * (1 - d * d);
}

void glow(struct canvas *c, double cx, double cy, double rx, double ry, unsigned colour,
          double strength)
{
    struct rgb light = hex(colour);

    for (int y = 0; y < c->h; y++)
        for (int x = 0; x < c->w; x++) {
            size_t i = (size_t)y * (size_t)c->w + (size_t)x;
            double k = strength * falloff(x, y, cx, cy, rx, ry) * (c->clip ? c->clip[i] : 1);

            c->px[i].r += k * light.r * (1.1 - fmin(1, c->px[i].r));
            c->px[i].g += k * light.g * (1.1 - fmin(1, c->px[i].g));
            c->px[i].b += k * light.b * (1.1 - fmin(1, c->px[i].b));
        }
}

void shade(struct canvas *c, double cx, double cy, double rx, double ry, double strength)
{
    for (int y = 0; y < c->h; y++)
        for (int x = 0; x < c->w; x++) {
            size_t i = (size_t)y * (size_t)c->w + (size_t)x;
            double k = strength * falloff(x, y, cx, cy, rx, ry) * (c->clip ? c->clip[i] : 1);

            c->px[i] = scaled(c->px[i], 1 - k);
        }
}

void clouds(struct canvas *c, double y0, double y1, unsigned colour, double amount, double size)
{
    uint32_t seed = c->seed++;
    struct rgb light = hex(colour);

    for (int y = (int)fmax(0, y0); y < c->h && y < y1; y++)
        for (int x = 0; x < c->w; x++) {
            size_t i = (size_t)y * (size_t)c->w + (size_t)x;
            double n = noise_fractal(x / size, y / (size * 0.42), seed, 6);
            double under = noise_fractal(x / size, (y + size * 0.06) / (size * 0.42), seed, 6);
            double edge = fmin(1, fmin((y - y0) / 20 + 0.3, (y1 - y) / (0.3 * (y1 - y0))));
            double k = smooth_step(0.35 - amount, 0.85 - amount, n) * edge;

            /* Thicker below than here: the top is lit; the other way round: in shade. */
            c->px[i] = mix(c->px[i], lifted(light, 0.35 * fmin(0.1, under - n)), 0.9 * k);
        }
}

void haze(struct canvas *c, double y0, double y1, unsigned colour, double strength)
{
    for (int y = (int)fmax(0, y0); y < c->h && y < y1; y++)
        for (int x = 0; x < c->w; x++) {
            size_t i = (size_t)y * (size_t)c->w + (size_t)x;

            c->px[i] = mix(c->px[i], hex(colour), strength * smooth_step(y0, y1, y));
        }
}

void reflection(struct canvas *c, int water_line, int y1, double strength, double ripple)
{
    uint32_t seed = c->seed++;

    for (int y = water_line; y < y1 && y < c->h; y++) {
        double depth = y - water_line, reach = ripple * (0.3 + depth / 40);

        for (int x = 0; x < c->w; x++) {
            double n = noise_fractal(x / (6 + depth / 3), y / (1.2 + depth / 40), seed, 3);
            int sx = (int)fmin(c->w - 1, fmax(0, x + 1.5 * reach * n));
            int sy = (int)fmin(water_line - 1, fmax(0, water_line - 1 - depth + 2 * reach * n));
            double k = strength * (1 - 0.6 * depth / (y1 - water_line));
            struct rgb *to = &c->px[(size_t)y * (size_t)c->w + (size_t)x];

            *to = mix(*to, c->px[(size_t)sy * (size_t)c->w + (size_t)sx], k);
        }
    }
}

void glitter(struct canvas *c, struct ring r, unsigned colour, double amount)
{
    struct bounds b = ring_bounds(&r);
    uint32_t seed = c->seed++;
    double *row = calloc((size_t)c->w, sizeof *row);

    if (!row)
        abort();
    for (int y = (int)fmax(0, b.y0); y < c->h && y < b.y1; y++) {
        double near = (y - b.y0) / (b.y1 - b.y0);

        ring_cover(&r, y, row, c->w);
        for (int x = 0; x < c->w; x++) {
            size_t i = (size_t)y * (size_t)c->w + (size_t)x;
            double n = noise_fractal(x / (4 + 14 * near), y / (1.1 + 2.5 * near), seed, 3);

            c->px[i] = mix(c->px[i], hex(colour), row[x] * amount * smooth_step(0.25, 0.6, n));
        }
    }
    free(row);
}

/* A 3 x 3 mean weighted 1 2 1, mixed with the original. */
static void blur(struct canvas *c, double share)
{
    size_t n = (size_t)c->w * (size_t)c->h;
    struct rgb *old = malloc(n * sizeof *old);

    if (!old)
        abort();
    memcpy(old, c->px, n * sizeof *old);
    for (int y = 0; y < c->h; y++)
        for (int x = 0; x < c->w; x++) {
            struct rgb sum = { 0, 0, 0 };

            for (int k = 0; k < 9; k++) {
                int sx = x + k % 3 - 1, sy = y + k / 3 - 1;
                double weight = (k % 3 == 1 ? 2 : 1) * (k / 3 == 1 ? 2 : 1) / 16.0;
                struct rgb p;

                sx = sx < 0 ? 0 : sx >= c->w ? c->w - 1 : sx;
                sy = sy < 0 ? 0 : sy >= c->h ? c->h - 1 : sy;
                p = old[(size_t)sy * (size_t)c->w + (size_t)sx];
                sum = (struct rgb){ sum.r + weight * p.r, sum.g + weight * p.g,
                                    sum.b + weight * p.b };
            }
            c->px[(size_t)y * (size_t)c->w + (size_t)x] =
                mix(old[(size_t)y * (size_t)c->w + (size_t)x], sum, share);
        }
    free(old);
}

void develop(struct canvas *c, double blur_share, double corners, double noise)
{
    uint32_t seed = c->seed++;

    blur(c, blur_share);
    for (int y = 0; y < c->h; y++)
        for (int x = 0; x < c->w; x++) {
            size_t i = (size_t)y * (size_t)c->w + (size_t)x;
            double u = 2.0 * x / c->w - 1, v = 2.0 * y / c->h - 1;
            double k = 1 - corners * pow((u * u + v * v) / 2, 1.5);
            double d = noise * (noise_at(x, y, seed) + noise_at(x, y, seed + 7) - 1);

            c->px[i] = lifted(scaled(c->px[i], k), d);
        }
}
