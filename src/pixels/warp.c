/* warp: a plane sampled through a 3x3 matrix, nearest or bilinear.
 *
 * Every position comes from mat3_apply_centre, afresh for each pixel, so that images, masks and run
 * lengths agree to the last bit. Where the taps certainly lie inside the source, a loop without
 * border checks runs; elsewhere one that weighs in the fill. */
#include "samples.h"

#include <math.h>
#include <string.h>

struct warp {
    const struct plane *in;
    struct plane *out;
    struct mat3 inverse;
    const struct fill *fill;
    size_t size; /* bytes of a pixel; the fill as such */
    unsigned char outside[16];
};

/* Pixels are counted from their centres here: those whose position p lies in 0 <= p < limit have
 * all their taps inside. */
struct limits {
    double shift; /* from continuous coordinates to those of the taps: 0 or -0.5 */
    double width, height;
};

ALWAYS_INLINE struct point warp_at(const struct mat3 *inverse, int x, int y, double shift)
{
    struct point p = mat3_apply_centre(inverse, x, y);

    p.x += shift;
    p.y += shift;
    return p;
}

ALWAYS_INLINE bool warp_inside(struct point p, const struct limits *l)
{
    return p.x >= 0 && p.x < l->width && p.y >= 0 && p.y < l->height;
}

/* The columns where 0 <= begin + step * x < limit, about. */
static void narrow(double begin, double step, double limit, double *x0, double *x1)
{
    double a = -begin / step, b = (limit - begin) / step;

    if (step == 0) { /* all or nothing; the exact test decides */
        if (!(begin >= 0 && begin < limit))
            *x1 = *x0;
        return;
    }
    if (a > b) {
        double swap = a;

        a = b;
        b = swap;
    }
    *x0 = fmax(*x0, floor(a) - 1);
    *x1 = fmin(*x1, ceil(b) + 2);
}

/* The span of row y whose positions are inside. An affine position is a monotone function of x,
 * also as rounded, so testing the two ends exactly is enough; what `narrow` finds is only where to
 * begin testing. */
static void warp_span(const struct warp *w, const struct limits *l, int y, int *begin, int *end)
{
    struct point p = warp_at(&w->inverse, 0, y, l->shift);
    double x0 = 0, x1 = w->out->width;

    narrow(p.x, w->inverse.m[0], l->width, &x0, &x1);
    narrow(p.y, w->inverse.m[3], l->height, &x0, &x1);
    *begin = *end = 0;
    if (!(x0 < x1))
        return;
    *begin = (int)x0;
    *end = (int)x1;
    while (*begin < *end && !warp_inside(warp_at(&w->inverse, *begin, y, l->shift), l))
        ++*begin;
    while (*begin < *end && !warp_inside(warp_at(&w->inverse, *end - 1, y, l->shift), l))
        --*end;
}

/* An affine matrix whose last row the compiler can see. */
ALWAYS_INLINE struct mat3 plainly_affine(const struct mat3 *a)
{
    return (struct mat3){ { a->m[0], a->m[1], a->m[2], a->m[3], a->m[4], a->m[5], 0, 0, 1 } };
}

ALWAYS_INLINE void take_pixel(const struct plane *in, struct point p, unsigned char *to,
                              size_t size)
{
    memcpy(to, plane_row(in, (int)p.y) + (size_t)p.x * size, size);
}

ALWAYS_INLINE void nearest_rows(const struct warp *w, size_t size)
{
    struct limits l = { 0, w->in->width, w->in->height };
    const struct plane in = *w->in;
    struct mat3 inverse = w->inverse;

    for (int y = 0; y < w->out->height; y++) {
        unsigned char *to = plane_row(w->out, y);

        for (int x = 0; x < w->out->width; x++, to += size) {
            struct point p = warp_at(&inverse, x, y, 0);

            if (warp_inside(p, &l))
                take_pixel(&in, p, to, size);
            else
                memcpy(to, w->outside, size);
        }
    }
}

ALWAYS_INLINE void nearest_rows_affine(const struct warp *w, size_t size)
{
    struct limits l = { 0, w->in->width, w->in->height };
    const struct plane in = *w->in;
    struct mat3 inverse = plainly_affine(&w->inverse);

    for (int y = 0; y < w->out->height; y++) {
        unsigned char *to = plane_row(w->out, y);
        int begin, end;

        warp_span(w, &l, y, &begin, &end);
        fill_pixels(to, w->outside, size, (size_t)begin);
        fill_pixels(to + (size_t)end * size, w->outside, size, (size_t)(w->out->width - end));
        for (int x = begin; x < end; x++)
            take_pixel(&in, warp_at(&inverse, x, y, 0), to + (size_t)x * size, size);
    }
}

ALWAYS_INLINE void nearest(const struct warp *w, size_t size)
{
    if (mat3_is_affine(&w->inverse))
        nearest_rows_affine(w, size);
    else
        nearest_rows(w, size);
}

static void warp_nearest(const struct warp *w)
{
    switch (w->size) {
    case 1:
        nearest(w, 1);
        break;
    case 2:
        nearest(w, 2);
        break;
    case 3:
        nearest(w, 3);
        break;
    case 4:
        nearest(w, 4);
        break;
    case 6:
        nearest(w, 6);
        break;
    case 8:
        nearest(w, 8);
        break;
    case 12:
        nearest(w, 12);
        break;
    case 16:
        nearest(w, 16);
        break;
    }
}

/* Positions of 8-bit pixels are rounded to 1/2048 pixel: the four weights are then integers that
 * sum to 2^22, and equal neighbours give exactly their value. */
enum { FINE = 2048 };

ALWAYS_INLINE void blend_u8(const struct plane *in, struct point p, uint8_t *to, int bands)
{
    uint64_t x = (uint64_t)(int64_t)(p.x * FINE + 0.5);
    uint64_t y = (uint64_t)(int64_t)(p.y * FINE + 0.5);
    const uint8_t *a = plane_row(in, (int)(y / FINE)) + x / FINE * (size_t)bands;
    const uint8_t *b = a + in->stride;
    uint32_t fx = x % FINE, fy = y % FINE, w3 = fx * fy, w2 = fy * FINE - w3, w1 = fx * FINE - w3;
    uint32_t w0 = FINE * FINE - w1 - w2 - w3;

    for (int c = 0; c < bands; c++) {
        uint32_t sum = w0 * a[c] + w1 * a[c + bands] + w2 * b[c] + w3 * b[c + bands];

        to[c] = (uint8_t)((sum + FINE * FINE / 2) / (FINE * FINE));
    }
}

ALWAYS_INLINE void blend_float(const struct plane *in, enum pixel_type type, struct point p,
                               void *to, size_t at, int bands)
{
    int x = (int)p.x, y = (int)p.y;
    const void *a = plane_row(in, y), *b = plane_row(in, y + 1);
    float fx = (float)(p.x - x), fy = (float)(p.y - y);
    size_t i = (size_t)x * (size_t)bands, j = i + (size_t)bands;

    for (size_t c = 0; c < (size_t)bands; c++) {
        float a0 = sample_load(a, type, i + c), a1 = sample_load(a, type, j + c);
        float b0 = sample_load(b, type, i + c), b1 = sample_load(b, type, j + c);
        float top = a0 + fx * (a1 - a0), below = b0 + fx * (b1 - b0);

        sample_store(to, type, at + c, top + fy * (below - top));
    }
}

ALWAYS_INLINE void blend(const struct plane *in, enum pixel_type type, struct point p, void *to,
                         size_t at, int bands)
{
    if (type == PIXEL_U8)
        blend_u8(in, p, (uint8_t *)to + at, bands);
    else
        blend_float(in, type, p, to, at, bands);
}

/* One pixel some of whose taps may be outside, or all: as when its position is not a number. */
static void blend_careful(const struct warp *w, struct point p, void *to, size_t at)
{
    const struct plane *in = w->in;
    double left = floor(p.x), top = floor(p.y), fx = p.x - left, fy = p.y - top, inside = 0;
    double sum[4] = { 0 };

    if (!(p.x > -1 && p.x < in->width && p.y > -1 && p.y < in->height)) {
        memcpy((unsigned char *)to + at / (size_t)in->bands * w->size, w->outside, w->size);
        return;
    }
    for (int tap = 0; tap < 4; tap++) {
        int x = (int)left + (tap & 1), y = (int)top + (tap >> 1);
        double weight = (tap & 1 ? fx : 1 - fx) * (tap >> 1 ? fy : 1 - fy);

        if (x < 0 || x >= in->width || y < 0 || y >= in->height)
            continue;
        inside += weight;
        for (int c = 0; c < in->bands; c++)
            sum[c] += weight * (double)sample_load(plane_row(in, y), in->type,
                                                   (size_t)x * (size_t)in->bands + (size_t)c);
    }
    for (int c = 0; c < in->bands; c++)
        sample_store(to, in->type, at + (size_t)c,
                     (float)(sum[c] + (1 - inside) * w->fill->band[c]));
}

ALWAYS_INLINE void bilinear_rows(const struct warp *w, enum pixel_type type, int bands, bool affine)
{
    /* A little less than the last centre, so that rounding a position never reaches it. */
    struct limits l = { -0.5, w->in->width - 1 - 1.0 / FINE, w->in->height - 1 - 1.0 / FINE };
    const struct plane in = *w->in;
    struct mat3 inverse = affine ? plainly_affine(&w->inverse) : w->inverse;

    for (int y = 0; y < w->out->height; y++) {
        void *to = plane_row(w->out, y);
        int begin = 0, end = affine ? 0 : w->out->width, x = 0;

        if (affine)
            warp_span(w, &l, y, &begin, &end);
        for (; x < begin; x++)
            blend_careful(w, warp_at(&inverse, x, y, -0.5), to, (size_t)(x * bands));
        for (; x < end; x++) {
            struct point p = warp_at(&inverse, x, y, -0.5);

            if (affine || warp_inside(p, &l))
                blend(&in, type, p, to, (size_t)(x * bands), bands);
            else
                blend_careful(w, p, to, (size_t)(x * bands));
        }
        for (; x < w->out->width; x++)
            blend_careful(w, warp_at(&inverse, x, y, -0.5), to, (size_t)(x * bands));
    }
}

ALWAYS_INLINE void bilinear(const struct warp *w, enum pixel_type type, int bands)
{
    if (mat3_is_affine(&w->inverse))
        bilinear_rows(w, type, bands, true);
    else
        bilinear_rows(w, type, bands, false);
}

ALWAYS_INLINE void bilinear_bands(const struct warp *w, enum pixel_type type)
{
    switch (w->in->bands) {
    case 1:
        bilinear(w, type, 1);
        break;
    case 2:
        bilinear(w, type, 2);
        break;
    case 3:
        bilinear(w, type, 3);
        break;
    case 4:
        bilinear(w, type, 4);
        break;
    }
}

void plane_warp(const struct plane *in, struct plane *out, const struct mat3 *inverse,
                enum taps taps, const struct fill *fill)
{
    struct warp w = {
        in, out, *inverse, fill, pixel_type_size(in->type) * (size_t)in->bands, { 0 }
    };

    fill_bytes(fill, in->type, in->bands, w.outside);
    if (taps == TAPS_NEAREST) {
        warp_nearest(&w);
        return;
    }
    switch (in->type) {
    case PIXEL_U8:
        bilinear_bands(&w, PIXEL_U8);
        break;
    case PIXEL_U16:
        bilinear_bands(&w, PIXEL_U16);
        break;
    case PIXEL_F32:
        bilinear_bands(&w, PIXEL_F32);
    }
}
