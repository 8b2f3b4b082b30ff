/* samples: single samples of a known type, and rows of them; only for pixel loops, also those of
 * color functions in steps/ops/.
 *
 * A loop for every type and number of channels is an ALWAYS_INLINE function that takes both as
 * arguments. One switch calls it with constants. */
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

/* Returns a sample of 8 or 16 bits. */
ALWAYS_INLINE int sample_level(const void *row, enum pixel_type type, size_t i)
{
    return type == PIXEL_U8 ? ((const uint8_t *)row)[i] : ((const uint16_t *)row)[i];
}

/* Rounds to nearest and clamps to [0, max]; NaN becomes 0. The order of the operands lets each
 * comparison compile to one instruction. */
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

/* Returns the rounded product of two numbers in units of 2^-15. Many processors have an instruction
 * for it (pmulhrsw). */
ALWAYS_INLINE int16_t word_product(int16_t a, int16_t b)
{
    return (int16_t)(((a * b >> 14) + 1) >> 1);
}

/* Returns a hash with little bias (Chris Wellons' lowbias32), which noise is made from. */
ALWAYS_INLINE uint32_t hash_mix(uint32_t h)
{
    h = (h ^ h >> 16) * 0x7feb352du;
    h = (h ^ h >> 15) * 0x846ca68bu;
    return h ^ h >> 16;
}

/* Stores 32 random bits as a value of the full range. */
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

/* plane_colour for u8 planes of three colors. Returns false, and does nothing, if there is no
 * faster loop for the function. */
bool colour_bytes(const struct plane *in, struct plane *out, colour_fn *, const void *context);
/* The same for u16 planes. */
bool colour_words(const struct plane *in, struct plane *out, colour_fn *, const void *context);

/* Convert n samples of a row to floats on the plane's own scale, and back, rounded and clamped. */
void row_load(const void *row, enum pixel_type, float *to, size_t n);
void row_store(const float *from, enum pixel_type, void *row, size_t n);

/* Writes to[i] = weight[0] * row[0][i] + weight[1] * row[1][i] + ..., added in this order in single
 * precision. The sum is then rounded and clamped once, unless `to` is float. */
void samples_weigh(const void *const *row, enum pixel_type, const float *weight, int count,
                   void *to, enum pixel_type to_type, size_t n);

/* plane_convolve for u8 planes and short symmetric kernels. Returns false, and does nothing, for
 * others. */
bool convolve_bytes(const struct plane *in, struct plane *out, const float *x, int nx,
                    const float *y, int ny);

/* Returns the index in [0, n) that i mirrors: ... 2 1 | 0 1 2 ... n-1 | n-2 ... */
int mirrored(int i, int n);

/* Fills `reach` pixels before a row and after it with their mirror images. The row has `width`
 * pixels of `pixel` bytes. */
void row_mirror(void *row, size_t pixel, int width, int reach);

/* Copies row y's alpha, if the planes have alpha. They have the same frame and type, any type. */
void row_copy_alpha(const struct plane *in, struct plane *out, int y);

/* Returns a plane from the pool: `in` with rx mirrored pixels on its left and right, and ry above
 * and below. */
struct plane plane_mirrored(const struct plane *in, int rx, int ry, struct pool *);

/* The rows of such a plane, made one after the other. Only the last 2 ry + 1 are kept, so that they
 * stay in the cache. mirror_rows makes the rows up to y + ry; y goes up by one from 0. mirror_row
 * returns row v, y - ry <= v <= y + ry, from column -rx on. mirror_end returns the memory to the
 * pool. */
struct mirror {
    const struct plane *in;
    struct plane ring;
    int rx, ry, made;
};
struct mirror mirror_begin(const struct plane *in, int rx, int ry, struct pool *);
void mirror_rows(struct mirror *, int y);
const unsigned char *mirror_row(const struct mirror *, int v);
void mirror_end(struct mirror *, struct pool *);

/* Writes out[i] = table[in[i]]; in place allowed. */
void bytes_look_up(const uint8_t *in, uint8_t *out, const uint8_t table[256], size_t n);

/* Split n RGB pixels of bytes into channels, and join channels. When joining, the channels may be
 * the same array. */
void bytes_deinterleave(const uint8_t *in, uint8_t *r, uint8_t *g, uint8_t *b, size_t n);
void bytes_interleave(const uint8_t *r, const uint8_t *g, const uint8_t *b, uint8_t *out, size_t n);
/* Prefetches the memory that a loop will write soon after the n bytes at `to`, for loops that go
 * upwards. Does nothing on processors that do not gain. All processors prefetch reads by
 * themselves; Intel's prefetch writes less. */
ALWAYS_INLINE void prefetch_written(const unsigned char *to, size_t n)
{
    enum { LINE = 64, AHEAD = 8 * LINE };

    if (!cpu_gains_by_prefetch())
        return;
    for (size_t i = 0; i < n; i += LINE)
        __builtin_prefetch(to + AHEAD + i, 1);
}

/* Copies n bytes, as memcpy does. */
void bytes_copy(const unsigned char *from, unsigned char *to, size_t n);

/* Converts n gray bytes to RGB pixels of three equal bytes. */
void bytes_gray_to_rgb(const uint8_t *in, uint8_t *out, size_t n);

/* Returns the luma of a color of bytes, rounded down. The weights are in 10000ths; see
 * luma_sum_u8.c. */
enum { LUMA_RED = 2989, LUMA_GREEN = 5870, LUMA_BLUE = 1140 };
static inline unsigned byte_luma(unsigned r, unsigned g, unsigned b)
{
    return (LUMA_RED * r + LUMA_GREEN * g + LUMA_BLUE * b) / 10000;
}

/* Returns the sum of the lumas of n RGB pixels of bytes. */
uint64_t bytes_luma(const uint8_t *in, size_t n);

/* Writes the first pixels of `from` to the end of `to`, in reverse order, for n pixels of `size`
 * bytes (1 to 4, 6, 8, 12, 16). Returns how many pixels were done, maybe 0. The other bytes of `to`
 * may have changed. `to` has room for n pixels and does not overlap `from`. */
size_t bytes_reverse(const uint8_t *from, uint8_t *to, size_t n, size_t size);

/* Copies the pixels 0, step, 2 * step, ... of `from`, at most n, to adjacent places. Returns how
 * many were done, maybe 0. No byte after the last pixel is read or written. */
size_t bytes_pick(const uint8_t *from, uint8_t *to, size_t n, size_t size, size_t step);

/* Transposes width x height pixels of `size` bytes: to(x, y) = from(y, x). Strides may be negative.
 * Returns false, and does nothing, if there is no faster way than pixel by pixel. */
struct transposition {
    const unsigned char *from;
    unsigned char *to;
    ptrdiff_t from_stride, to_stride;
    size_t width, height, size;
};
bool bytes_transpose(const struct transposition *);

/* fill_bytes writes the bytes of one pixel of the fill (at most 16). fill_pixels writes n such
 * pixels of `size` bytes. */
void fill_bytes(const struct fill *, enum pixel_type, int channels, unsigned char *pixel);
void fill_pixels(unsigned char *to, const unsigned char *pixel, size_t size, size_t n);
