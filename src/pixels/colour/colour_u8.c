/* colour_u8: functions of colors that permute or weigh channels, for bytes. Channels are vectors of
 * bytes, weighed in 16-bit fixed point. */
#include "pixels/samples.h"
#include "pixels/simd/matrix_u8_avx2.h"

#include <math.h>

enum { PIXELS = 512 };

static void permute_row(const uint8_t *in, uint8_t *out, const int *from, size_t width)
{
    uint8_t byte[3][PIXELS];

    for (size_t n; width > 0; width -= n, in += 3 * n, out += 3 * n) {
        n = width < PIXELS ? width : PIXELS;
        bytes_deinterleave(in, byte[0], byte[1], byte[2], n);
        bytes_interleave(byte[from[0]], byte[from[1]], byte[from[2]], out, n);
    }
}

/* Chooses the largest scale at which no partial sum leaves 16 bits, for any colors. False if its
 * unit is more than 1/16 of a level: a sum would be off by more than an eighth. */
static bool make_fixed_sum(const float m[4], struct fixed_sum *s)
{
    float max = 255 * (fabsf(m[0]) + fabsf(m[1]) + fabsf(m[2])) + fabsf(m[3]) + 1;
    float largest = fmaxf(fmaxf(fabsf(m[0]), fabsf(m[1])), fabsf(m[2]));

    for (s->shift = 6; s->shift >= 4; s->shift--)
        if (ldexpf(max, s->shift) <= 32767 && ldexpf(largest, s->shift + 9) <= 32767)
            break;
    for (int b = 0; b < 3 && s->shift >= 4; b++)
        s->weight[b] = (int16_t)lrintf(ldexpf(m[b], s->shift + 9));
    if (s->shift >= 4)
        s->offset = (int16_t)lrintf(ldexpf(m[3] + 0.5f, s->shift) + 1.5f);
    return s->shift >= 4;
}

/* Converts a channel to 2^7 units per level. */
ALWAYS_INLINE void raise_channel(const uint8_t *restrict in, int16_t *restrict high, size_t n)
{
    for (size_t i = 0; i < n; i++)
        high[i] = (int16_t)(in[i] << 7);
}

ALWAYS_INLINE int16_t product(int16_t high, int16_t weight)
{
    return (int16_t)(high * weight >> 16);
}

ALWAYS_INLINE void weigh_channel(const struct fixed_sum *s, const int16_t *restrict r,
                                 const int16_t *restrict g, const int16_t *restrict b,
                                 uint8_t *restrict out, size_t n)
{
    int16_t to_r = s->weight[0], to_g = s->weight[1], to_b = s->weight[2], offset = s->offset;
    int shift = s->shift;

    for (size_t i = 0; i < n; i++) {
        int16_t sum = (int16_t)(offset + product(r[i], to_r));

        sum = (int16_t)(sum + product(g[i], to_g));
        sum = (int16_t)(sum + product(b[i], to_b));
        sum = (int16_t)(sum >> shift);
        sum = sum > 0 ? sum : 0;
        out[i] = (uint8_t)(sum < 255 ? sum : 255);
    }
}

/* Functions that change the channels of at most PIXELS pixels in place. This one writes luma to the
 * first channel. */
VARIANTS static void weigh_luma(const struct fixed_sum *sum, uint8_t *const channel[3], size_t n)
{
    int16_t high[3][PIXELS];

    for (int b = 0; b < 3; b++)
        raise_channel(channel[b], high[b], n);
    weigh_channel(sum, high[0], high[1], high[2], channel[0], n);
}

VARIANTS static void weigh_all(const struct fixed_sum *sum, uint8_t *const channel[3], size_t n)
{
    int16_t high[3][PIXELS];

    for (int b = 0; b < 3; b++)
        raise_channel(channel[b], high[b], n);
    for (int b = 0; b < 3; b++)
        weigh_channel(&sum[b], high[0], high[1], high[2], channel[b], n);
}

/* Computes gray in units of 2^-7 level: (2507355 R + 4924113 G + 956302 B) / 2^23, rounded down. It
 * adds 16-bit sums of the weights' highest 8 bits, next 8 bits and lowest 7. The weights are
 * slightly too large, but no sum reaches a whole level that 0.2989 R + 0.587 G + 0.114 B does not.
 */
ALWAYS_INLINE void raise_gray(uint8_t *const channel[3], int16_t *restrict high, size_t n)
{
    const uint8_t *r = channel[0], *g = channel[1], *b = channel[2];

    for (size_t i = 0; i < n; i++) {
        uint16_t lowest = (uint16_t)(91 * r[i] + 81 * g[i] + 14 * b[i]);
        uint16_t low = (uint16_t)(132 * r[i] + 69 * g[i] + 47 * b[i] + (lowest >> 7));
        uint16_t sum = (uint16_t)(76 * r[i] + 150 * g[i] + 29 * b[i] + (low >> 8));

        high[i] = (int16_t)((sum >> 8) << 7);
    }
}

/* Blends each channel with the gray, as in colour_saturate, by the first two weights. */
VARIANTS static void blend_gray(const struct fixed_sum *sum, uint8_t *const channel[3], size_t n)
{
    int16_t high[PIXELS], gray[PIXELS];

    raise_gray(channel, gray, n);
    for (int b = 0; b < 3; b++) {
        raise_channel(channel[b], high, n);
        weigh_channel(sum, high, gray, gray, channel[b], n);
    }
}

typedef void weigh_fn(const struct fixed_sum *, uint8_t *const channel[3], size_t n);

/* If `out` has one channel, it gets the first one. */
static void weigh_row(const uint8_t *in, uint8_t *out, size_t channels, size_t width, weigh_fn *f,
                      const struct fixed_sum *sum)
{
    uint8_t r[PIXELS], g[PIXELS], b[PIXELS];
    size_t done = 0;

    if (cpu_has_feature(CPU_AVX512_VBMI) && f != weigh_luma)
        done =
            f == weigh_all ? weigh_all_64(sum, in, out, width) : blend_gray_64(sum, in, out, width);
    if (cpu_has_feature(CPU_AVX2) && f != weigh_luma) {
        const uint8_t *from = in + 3 * done;
        uint8_t *to = out + 3 * done;

        done += f == weigh_all ? weigh_all_32(sum, from, to, width - done)
                               : blend_gray_32(sum, from, to, width - done);
    }
    in += 3 * done;
    out += channels * done;
    width -= done;
    for (size_t n; width > 0; width -= n, in += 3 * n, out += channels * n) {
        uint8_t *first = channels == 1 ? out : r, *rest;

        n = width < PIXELS ? width : PIXELS;
        done = cpu_has_feature(CPU_AVX2) && f == weigh_luma ? weigh_one_32(sum, in, first, n) : 0;
        rest = first + done;
        bytes_deinterleave(in + 3 * done, rest, g, b, n - done);
        f(sum, (uint8_t *const[]){ rest, g, b }, n - done);
        if (f == weigh_luma && channels == 3)
            bytes_gray_to_rgb(r, out, n);
        else if (channels == 3)
            bytes_interleave(r, g, b, out, n);
    }
}

/* Returns the weighing function for a function of three colors, to one channel or to three; NULL if
 * there is none. */
static weigh_fn *weighing(colour_fn *f, const void *context, struct fixed_sum sum[3])
{
    static const float luma_weights[4] = { 0.299f, 0.587f, 0.114f, 0 };

    if (f == colour_luma)
        return make_fixed_sum(luma_weights, sum) ? weigh_luma : NULL;
    if (f == colour_saturate) {
        float factor = *(const float *)context;

        return make_fixed_sum((const float[]){ factor, 1 - factor, 0, 0 }, sum) ? blend_gray : NULL;
    }
    if (f == colour_by_matrix) {
        const struct colour_matrix *m = context;

        for (int b = 0; b < 3; b++)
            if (!make_fixed_sum(m->m[b], &sum[b]))
                return NULL;
        return weigh_all;
    }
    return NULL;
}

bool colour_bytes(const struct plane *in, struct plane *out, colour_fn *f, const void *context)
{
    bool spread = f == colour_same && in->channels == 1 && out->channels == 3;
    bool permute = f == colour_permute && in->channels == 3 && out->channels == 3;
    struct fixed_sum sum[3];
    weigh_fn *weigh = NULL;

    if (in->channels == 3 && (out->channels == 3 || (out->channels == 1 && f == colour_luma)))
        weigh = weighing(f, context, sum);
    if (in->type != PIXEL_U8 || !(spread || permute || weigh))
        return false;
    for (int y = 0; y < in->height; y++) {
        const uint8_t *from = plane_row(in, y);
        uint8_t *to = plane_row(out, y);

        if (spread)
            bytes_gray_to_rgb(from, to, (size_t)in->width);
        else if (permute)
            permute_row(from, to, context, (size_t)in->width);
        else
            weigh_row(from, to, (size_t)out->channels, (size_t)in->width, weigh, sum);
    }
    return true;
}
