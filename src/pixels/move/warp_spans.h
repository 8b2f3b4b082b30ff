/* warp_spans: loops over spans of an output row whose taps are all known to be inside the source;
 * only for warp*.c. */
#pragma once

#include "pixels/samples.h"
#include "pixels/move/warp_stepper.h"

#include <math.h>
#include <string.h>

/* Positions here are relative to pixel centers: all taps are inside if 0 <= p < limit. */
struct limits {
    double shift; /* added to continuous coordinates to get those of the taps: 0 or -0.5 */
    double width, height;
};

struct warp {
    const struct plane *in;
    struct plane *out;
    struct mat3 inverse;
    const struct fill *fill;
    struct limits limits; /* of positions that need no checks */
    size_t size;          /* bytes of a pixel; the fill as bytes */
    unsigned char outside[16];
};

struct warp warp_begin(const struct plane *in, struct plane *out, enum interpolation,
                       const struct fill *);
/* Writes sample `at` of the row at `to`: a pixel some or all of whose taps may be outside, also if
 * its position is NaN. */
void blend_careful(const struct warp *, struct point, void *to, size_t at);
/* Writes pixel (x, y) of the output from any position in a source of any size. */
void warp_careful(const struct warp *, enum interpolation, struct point, int x, int y);

/* Writes a whole pixel from a position outside the source. */
static inline void take_outside(const struct warp *w, struct point p, unsigned char *to)
{
    int x = border_index(w->fill->border, floor(p.x), w->in->width);
    int y = border_index(w->fill->border, floor(p.y), w->in->height);

    memcpy(to, x < 0 || y < 0 ? w->outside : plane_row(w->in, y) + (size_t)x * w->size, w->size);
}

/* True if 32 bits cannot count the plane's bytes, or parts of its pixels. */
static inline bool warp_is_huge(const struct plane *in)
{
    return plane_bytes(in) > UINT32_MAX || in->width > 1 << 16 || in->height > 1 << 16;
}

ALWAYS_INLINE struct point warp_at(const struct mat3 *inverse, int x, int y, double shift)
{
    struct point p = mat3_apply_centre(inverse, x, y);

    p.x += shift;
    p.y += shift;
    return p;
}

ALWAYS_INLINE bool warp_inside(struct point p, const struct limits *l)
{
    return (p.x >= 0) & (p.x < l->width) & (p.y >= 0) & (p.y < l->height);
}

/* Narrows *x0..*x1 to the columns where 0 <= begin + step * x < limit, approximately. */
ALWAYS_INLINE void narrow(double begin, double step, double limit, double *x0, double *x1)
{
    double per = 1 / step, at_0 = -begin * per, at_limit = (limit - begin) * per;
    double first = ceil(step > 0 ? at_0 : at_limit) - 1;
    double last = ceil(step > 0 ? at_limit : at_0) + 1;
    bool all = (begin >= 0) & (begin < limit); /* for a step of 0: all or nothing */

    last = step != 0 ? last : all ? *x1 : *x0;
    first = step != 0 ? first : *x0;
    *x0 = first > *x0 ? first : *x0; /* NaN narrows nothing */
    *x1 = last < *x1 ? last : *x1;
}

/* Returns an affine matrix whose last row the compiler knows. */
ALWAYS_INLINE struct mat3 plainly_affine(const struct mat3 *a)
{
    return (struct mat3){ { a->m[0], a->m[1], a->m[2], a->m[3], a->m[4], a->m[5], 0, 0, 1 } };
}

/* Sets the span of row y whose positions are inside. An affine position is a monotone function of
 * x, also after rounding, so testing the two ends exactly is enough. `narrow` only finds where to
 * begin testing. */
ALWAYS_INLINE void warp_span(const struct warp *w, const struct limits *l, int y, int *begin,
                             int *end)
{
    struct mat3 inverse = plainly_affine(&w->inverse);
    struct point p = warp_at(&inverse, 0, y, l->shift);
    double x0 = 0, x1 = w->out->width;

    narrow(p.x, inverse.m[0], l->width, &x0, &x1);
    narrow(p.y, inverse.m[3], l->height, &x0, &x1);
    *begin = *end = 0;
    if (!(x0 < x1))
        return;
    *begin = (int)x0;
    *end = (int)x1;
    while (*begin < *end && !warp_inside(warp_at(&inverse, *begin, y, l->shift), l))
        ++*begin;
    while (*begin < *end && !warp_inside(warp_at(&inverse, *end - 1, y, l->shift), l))
        --*end;
}

/* Positions are computed in blocks, so that compilers use vectors. After the last column of a row
 * its position is repeated. */
enum { BLOCK = 64 };
struct block {
    uint32_t x[BLOCK], y[BLOCK]; /* in parts of a pixel, rounded; 0 if outside */
    uint32_t at[BLOCK];          /* offset of the source pixel in bytes */
    bool outside[BLOCK];
};

/* Computes a block's positions and returns how many are outside. With `inside`, all are known to be
 * inside. */
ALWAYS_INLINE int block_fill(struct block *k, const struct mat3 *inverse, const struct limits *l,
                             int x, int y, int end, int parts, bool inside)
{
    double half = parts > 1 ? 0.5 : 0;
    int outside = 0;

    for (int i = 0; i < BLOCK; i++) {
        int at = x + i < end ? x + i : end - 1;
        struct point p = warp_at(inverse, at, y, l->shift);
        bool out = !inside && !warp_inside(p, l);

        k->x[i] = (uint32_t)(int32_t)((out ? 0 : p.x) * parts + half);
        k->y[i] = (uint32_t)(int32_t)((out ? 0 : p.y) * parts + half);
        if (!inside) {
            k->outside[i] = out;
            outside += out;
        }
    }
    return outside;
}

ALWAYS_INLINE void block_find(struct block *k, const struct plane *in, size_t size, int parts)
{
    uint32_t stride = (uint32_t)in->stride, one = (uint32_t)parts;

    for (int i = 0; i < BLOCK; i++)
        k->at[i] = k->y[i] / one * stride + k->x[i] / one * (uint32_t)size;
}

/* 8-bit pixels are blended in 16-bit lanes of two bytes, with the low and the high bytes handled
 * separately. Positions are rounded to 2^-15 pixel, intermediate blends to 2^-6 level, and the last
 * blend to a whole level. Equal neighbors give exactly their value. Pixels of one or two channels
 * take one lane, of three or four two lanes. */
enum { FINE = 1 << 15, LEVEL = 1 << 6 };
struct four_taps {
    uint16_t a0[2 * BLOCK], a1[2 * BLOCK], b0[2 * BLOCK], b1[2 * BLOCK]; /* rows a and b */
    int16_t x[2 * BLOCK],
        y[2 * BLOCK]; /* the weights of the taps 1 and of row b, in units of 1 / FINE */
    uint16_t sum[2 * BLOCK];
    uint64_t pair[2][BLOCK]; /* of rows a and b: both taps, as in memory */
};

ALWAYS_INLINE int16_t blend_two(int16_t a, int16_t b, int16_t weight)
{
    int16_t by = (int16_t)(b - a);

    return (int16_t)(a + word_product(by, weight));
}

ALWAYS_INLINE uint16_t blend_lane(int a0, int a1, int b0, int b1, int16_t x, int16_t y)
{
    int16_t top = blend_two((int16_t)(a0 * LEVEL), (int16_t)(a1 * LEVEL), x);
    int16_t below = blend_two((int16_t)(b0 * LEVEL), (int16_t)(b1 * LEVEL), x);

    return (uint16_t)((uint16_t)(blend_two(top, below, y) + LEVEL / 2) / LEVEL);
}

ALWAYS_INLINE void four_taps_blend(struct four_taps *t, int channels)
{
    if (channels == 1)
        for (int i = 0; i < BLOCK; i++)
            t->sum[i] = blend_lane(t->a0[i] & 255, t->a0[i] >> 8, t->b0[i] & 255, t->b0[i] >> 8,
                                   t->x[i], t->y[i]);
    for (int i = 0; i < (channels == 1 ? 0 : channels == 2 ? BLOCK : 2 * BLOCK); i++) {
        uint16_t low = blend_lane(t->a0[i] & 255, t->a1[i] & 255, t->b0[i] & 255, t->b1[i] & 255,
                                  t->x[i], t->y[i]);
        uint16_t high = blend_lane(t->a0[i] >> 8, t->a1[i] >> 8, t->b0[i] >> 8, t->b1[i] >> 8,
                                   t->x[i], t->y[i]);

        t->sum[i] = (uint16_t)(low | high << 8);
    }
}

/* Returns the bytes of a word after its first one in memory. */
ALWAYS_INLINE uint32_t drop_byte(const uint8_t *at)
{
    uint32_t v;

    memcpy(&v, at, 4);
    return __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? v >> 8 : v << 8;
}

/* Reads a pixel of three channels as four bytes: its own and one more on the side that certainly
 * has one. */
ALWAYS_INLINE void tap_pair(const uint8_t *from, uint16_t *left, uint16_t *right, int i,
                            int channels)
{
    switch (channels) {
    case 1: /* both in one lane */
        left[i] = (uint16_t)(from[0] | from[1] << 8);
        break;
    case 2:
        memcpy(&left[i], from, 2);
        memcpy(&right[i], from + 2, 2);
        break;
    case 3: {
        uint32_t three = drop_byte(from + 2);

        memcpy(&left[2 * i], from, 4);
        memcpy(&right[2 * i], &three, 4);
        break;
    }
    case 4:
        memcpy(&left[2 * i], from, 4);
        memcpy(&right[2 * i], from + 4, 4);
        break;
    }
}

/* Loads both taps at once. For three channels two surplus bytes are read: in row a after the taps,
 * in row b before them, where there certainly are some. */
ALWAYS_INLINE void load_pairs(const uint8_t *px, size_t stride, const struct block *k,
                              struct four_taps *t, int channels)
{
    size_t early = channels == 3 ? 2 : 0;

    for (int i = 0; i < BLOCK; i++) {
        memcpy(&t->pair[0][i], px + k->at[i], 8);
        memcpy(&t->pair[1][i], px + stride + k->at[i] - early, 8);
    }
    for (int i = 0; i < BLOCK; i++) {
        uint64_t a = t->pair[0][i], b = t->pair[1][i] >> 8 * early;
        uint32_t left[2] = { (uint32_t)a, (uint32_t)b };
        uint32_t right[2] = { (uint32_t)(a >> 8 * channels), (uint32_t)(b >> 8 * channels) };

        memcpy(&t->a0[2 * i], &left[0], 4);
        memcpy(&t->b0[2 * i], &left[1], 4);
        memcpy(&t->a1[2 * i], &right[0], 4);
        memcpy(&t->b1[2 * i], &right[1], 4);
    }
}

ALWAYS_INLINE void block_load(const struct plane *in, struct block *k, struct four_taps *t,
                              int channels)
{
    const uint8_t *px = in->px;

    block_find(k, in, (size_t)channels, FINE);
    if (channels > 2 && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__) {
        load_pairs(px, in->stride, k, t, channels);
        return;
    }
    for (int i = 0; i < BLOCK; i += 4)
        for (int j = i; j < i + 4; j++) {
            tap_pair(px + k->at[j], t->a0, t->a1, j, channels);
            tap_pair(px + in->stride + k->at[j], t->b0, t->b1, j, channels);
        }
}

ALWAYS_INLINE void block_blend(const struct plane *in, struct block *k, struct four_taps *t,
                               int channels)
{
    for (int i = 0; i < BLOCK; i++) {
        uint32_t wx = k->x[i] % FINE, wy = k->y[i] % FINE;

        if (channels > 2) { /* for both lanes */
            wx *= 0x10001;
            wy *= 0x10001;
            memcpy(&t->x[2 * i], &wx, 4);
            memcpy(&t->y[2 * i], &wy, 4);
        } else {
            t->x[i] = (int16_t)wx;
            t->y[i] = (int16_t)wy;
        }
    }
    block_load(in, k, t, channels);
    four_taps_blend(t, channels);
}

/* Packs the first three bytes of n words. All stores but the last one write surplus bytes, which
 * the next store overwrites. */
ALWAYS_INLINE void pack_threes(const uint8_t *from, uint8_t *to, int n)
{
    int i = 0;

    for (; __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ && i < n - 3; i += 2) {
        uint64_t two;

        memcpy(&two, from + 4 * i, 8);
        two = (two & 0xffffff) | (two >> 8 & 0xffffff000000);
        memcpy(to + 3 * i, &two, 8);
    }
    for (; i < n - 1; i++)
        memcpy(to + 3 * i, from + 4 * i, 4);
    memcpy(to + 3 * i, from + 4 * i, 3);
}

/* Stores n pixels from the block's pixel `first` on. */
ALWAYS_INLINE void block_store(const struct four_taps *t, int first, uint8_t *to, int n,
                               int channels)
{
    const uint8_t *sum = (const uint8_t *)(t->sum + (channels > 2 ? 2 : 1) * first);

    if (channels == 1)
        for (int i = 0; i < n; i++)
            to[i] = (uint8_t)t->sum[first + i];
    else if (channels == 3)
        pack_threes(sum, to, n);
    else
        memcpy(to, sum, (size_t)(n * channels));
}

ALWAYS_INLINE void blend_float(const struct plane *in, enum pixel_type type, struct point p,
                               void *to, size_t at, int channels)
{
    int x = (int)p.x, y = (int)p.y;
    const void *a = plane_row(in, y), *b = plane_row(in, y + 1);
    float fx = (float)(p.x - x), fy = (float)(p.y - y);
    size_t i = (size_t)x * (size_t)channels, j = i + (size_t)channels;

    for (size_t c = 0; c < (size_t)channels; c++) {
        float a0 = sample_load(a, type, i + c), a1 = sample_load(a, type, j + c);
        float b0 = sample_load(b, type, i + c), b1 = sample_load(b, type, j + c);
        float top = a0 + fx * (a1 - a0), below = b0 + fx * (b1 - b0);

        sample_store(to, type, at + c, top + fy * (below - top));
    }
}

/* Computes x and y of the pixels of a block, from pixel i of the span on, in units of 1 / FINE. */
ALWAYS_INLINE void walk_positions(const struct walk *walk, const uint64_t from[2], int i,
                                  uint32_t x[WALK], uint32_t y[WALK])
{
    uint32_t first_x = walk_position(walk, from, 0, i), first_y = walk_position(walk, from, 1, i);

    for (int k = 0; k < WALK; k++) {
        x[k] = (first_x + walk->far[0][k]) >> 1;
        y[k] = (first_y + walk->far[1][k]) >> 1;
    }
}

/* Blends the span begin..end of row y, whose taps are all inside, if `walk` allows it. `from` is x
 * and y of its first pixel, from walk_from. */
ALWAYS_INLINE void blend_walk(const struct warp *w, const struct walk *walk, const uint64_t from[2],
                              int y, int begin, int end, int channels)
{
    const struct plane in = *w->in;
    uint8_t *to = (uint8_t *)plane_row(w->out, y) + begin * channels;
    int n = end - begin;
    _Alignas(64) struct four_taps t; /* whole cache lines for vectors */
    _Alignas(64) struct block k;

    if (walk->shuffled) {
        walk_shuffled(&in, walk, from, to, n);
        return;
    }
    for (int i = 0; i < n; i += BLOCK) { /* a walk has two blocks here */
        int first[2] = { walk_block(i, n), walk_block(i + WALK, n) };

        for (int h = 0; h < 2; h++)
            walk_positions(walk, from, first[h], k.x + h * WALK, k.y + h * WALK);
        block_blend(&in, &k, &t, channels);
        for (int h = 0; h < 2; h++)
            block_store(&t, h * WALK, to + first[h] * channels, WALK, channels);
    }
}
