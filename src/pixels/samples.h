/* samples: one sample of a known type, and rows of them as floats; only for the pixel loops, those
 * of colour functions in ops/ too.
 *
 * How a loop is made for every type and number of channels: it is an ALWAYS_INLINE function that
 * takes both as arguments, called with constants from one switch. */
#pragma once

#include "base/cpu.h"
#include "pixels/plane.h"

#define ALWAYS_INLINE static inline __attribute__((always_inline))

ALWAYS_INLINE unsigned char *plane_row(const struct plane *p, int y)
{
    return (unsigned char *)p->px + (size_t)y * p->stride;
}

ALWAYS_INLINE float sample_load(const void *row, enum pixel_type type, size_t i)
{
    switch (type) {
    case PIXEL_U8:
        return ((const uint8_t *)row)[i];
    case PIXEL_U16:
        return ((const uint16_t *)row)[i];
    case PIXEL_F32:
        break;
    }
    return ((const float *)row)[i];
}

/* Of 8 or 16 bit. */
ALWAYS_INLINE int sample_level(const void *row, enum pixel_type type, size_t i)
{
    return type == PIXEL_U8 ? ((const uint8_t *)row)[i] : ((const uint16_t *)row)[i];
}

/* Rounded to nearest and clamped; NaN becomes 0. The comparisons are written the way round that
 * is one instruction. */
ALWAYS_INLINE int sample_round(float v, float max)
{
    v = v > 0 ? v : 0;
    v = v < max ? v : max;
    return (int)(v + 0.5f);
}

ALWAYS_INLINE void sample_store(void *row, enum pixel_type type, size_t i, float v)
{
    switch (type) {
    case PIXEL_U8:
        ((uint8_t *)row)[i] = (uint8_t)sample_round(v, 255);
        return;
    case PIXEL_U16:
        ((uint16_t *)row)[i] = (uint16_t)sample_round(v, 65535);
        return;
    case PIXEL_F32:
        ((float *)row)[i] = v;
    }
}

/* The product of words, of 2^15, rounded: an instruction of its own on many processors. */
ALWAYS_INLINE int16_t word_product(int16_t a, int16_t b)
{
    return (int16_t)(((a * b >> 14) + 1) >> 1);
}

/* A hash with little bias (Chris Wellons' lowbias32): noise is made from it. */
ALWAYS_INLINE uint32_t hash_mix(uint32_t h)
{
    h = (h ^ h >> 16) * 0x7feb352du;
    h = (h ^ h >> 15) * 0x846ca68bu;
    return h ^ h >> 16;
}

/* 32 random bits as a value of the full range. */
ALWAYS_INLINE void sample_noise(void *row, enum pixel_type type, size_t i, uint32_t random)
{
    switch (type) {
    case PIXEL_U8:
        ((uint8_t *)row)[i] = (uint8_t)(random >> 24);
        break;
    case PIXEL_U16:
        ((uint16_t *)row)[i] = (uint16_t)(random >> 16);
        break;
    case PIXEL_F32:
        ((float *)row)[i] = (float)(random >> 8) * 0x1p-24f;
    }
}

/* plane_colour for bytes of three colours, when there is a shorter way; else false. */
bool colour_bytes(const struct plane *in, struct plane *out, colour_fn *, const void *context);
/* The same for samples of 16 bit. */
bool colour_words(const struct plane *in, struct plane *out, colour_fn *, const void *context);

/* n samples of a row as floats on the plane's own scale, and back, rounded and clamped. */
void row_load(const void *row, enum pixel_type, float *to, size_t n);
void row_store(const float *from, enum pixel_type, void *row, size_t n);

/* to[i] = weight[0] * row[0][i] + weight[1] * row[1][i] + ..., added in this order in single
 * precision, then rounded and clamped once unless `to` is float. */
void samples_weigh(const void *const *row, enum pixel_type, const float *weight, int count,
                   void *to, enum pixel_type to_type, size_t n);

/* plane_convolve for bytes and symmetric kernels of few taps; else false. */
bool convolve_bytes(const struct plane *in, struct plane *out, const float *x, int nx,
                    const float *y, int ny);

/* The index that i mirrors to in [0, n): ... 2 1 | 0 1 2 ... n-1 | n-2 ... */
int mirrored(int i, int n);

/* Fills `reach` pixels before a row and as many behind it with what they mirror. `pixel` is the
 * size of one; `width` are in the row. */
void row_mirror(void *row, size_t pixel, int width, int reach);

/* Row y's alpha, where the planes have it: 8 or 16 bit or float, same frames and types. */
void row_copy_alpha(const struct plane *in, struct plane *out, int y);

/* A plane from the pool: `in` with rx mirrored pixels on its left and right, ry above and below. */
struct plane plane_mirrored(const struct plane *in, int rx, int ry, struct pool *);

/* Such rows one after the other, of which the last 2 ry + 1 are kept: they stay in the cache, where
 * a plane does not. mirror_rows makes those up to y + ry; y goes up by one from 0. mirror_row is
 * row v, y - ry <= v <= y + ry, from column -rx on. */
struct mirror {
    const struct plane *in;
    struct plane ring;
    int rx, ry, made;
};
struct mirror mirror_begin(const struct plane *in, int rx, int ry, struct pool *);
void mirror_rows(struct mirror *, int y);
const unsigned char *mirror_row(const struct mirror *, int v);
void mirror_end(struct mirror *, struct pool *);

/* out[i] = table[in[i]]; in place allowed. */
void bytes_table(const uint8_t *in, uint8_t *out, const uint8_t table[256], size_t n);

/* n pixels of three bytes, and their channels, which may be one and the same when they are put
 * together. */
void bytes_apart(const uint8_t *in, uint8_t *r, uint8_t *g, uint8_t *b, size_t n);
void bytes_together(const uint8_t *r, const uint8_t *g, const uint8_t *b, uint8_t *out, size_t n);
/* Where a loop that goes upwards writes n bytes, those that it will write some lines later are
 * prefetched, if that pays: all processors fetch ahead by themselves what is read, but Intel's do
 * so less for what is written. */
ALWAYS_INLINE void prefetch_written(const unsigned char *to, size_t n)
{
    enum { LINE = 64, AHEAD = 8 * LINE };

    if (!cpu_gains_by_prefetch())
        return;
    for (size_t i = 0; i < n; i += LINE)
        __builtin_prefetch(to + AHEAD + i, 1);
}

/* As memcpy. */
void bytes_copy(const unsigned char *from, unsigned char *to, size_t n);

/* n pixels whose three bytes are each that of `in`. */
void bytes_spread(const uint8_t *in, uint8_t *out, size_t n);

/* The luma of a colour of bytes, rounded down; weights in 10000ths. See luma_sum_u8.c. */
enum { LUMA_RED = 2989, LUMA_GREEN = 5870, LUMA_BLUE = 1140 };
static inline unsigned byte_luma(unsigned r, unsigned g, unsigned b)
{
    return (LUMA_RED * r + LUMA_GREEN * g + LUMA_BLUE * b) / 10000;
}

/* The lumas of n pixels of three bytes, summed. */
uint64_t bytes_luma(const uint8_t *in, size_t n);

/* The first of n pixels of `size` bytes (1 to 4, 6, 8, 12, 16) to the back of `to`, and so on: how
 * many were done, which may be none, is returned; what is before them in `to` may have changed.
 * `to` has room for n, and is not where they come from. */
size_t bytes_reverse(const uint8_t *from, uint8_t *to, size_t n, size_t size);

/* Pixel 0, step, 2 * step and so on, n of them, side by side: the first ones; how many were done,
 * which may be none, is returned. Nothing behind the last is read or written. */
size_t bytes_pick(const uint8_t *from, uint8_t *to, size_t n, size_t size, size_t step);

/* to(x, y) = from(y, x) for width x height pixels of so many bytes; strides may be negative. False
 * when there is no shorter way than one by one: nothing was done. */
struct turned {
    const unsigned char *from;
    unsigned char *to;
    ptrdiff_t from_stride, to_stride;
    size_t width, height, size;
};
bool bytes_turn(const struct turned *);

/* The bytes of one pixel of the fill (at most 16), and n pixels painted with such bytes. */
void fill_bytes(const struct fill *, enum pixel_type, int channels, unsigned char *pixel);
void fill_pixels(unsigned char *to, const unsigned char *pixel, size_t size, size_t n);
