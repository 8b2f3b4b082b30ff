/* resize_bytes: resampling of bytes by weights that are not negative, in 16-bit fixed point. */
#include "resize_axis.h"
#include "samples.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Rows between the two directions are on a scale of 2^SCALE to a level. Down the rows, each product
 * is cut off by half a unit on average, which the sum begins with. So it is off by at most half a
 * unit for each of the taps, which are 2 * WIDEST_SCALE + 1 at most: by an eighth of a level. Along
 * a row, sums have 32 bits and are rounded once. */
enum { SCALE = 7, ALONG = 14, WIDEST_SCALE = 16, PART = 1024 };

/* Along a row, output samples are made by sixteen; behind a line there is room for as many, and for
 * what their windows reach. */
enum { LANES = 16, BEHIND = 160 };

/* A group of output samples: what vectors of words take of the source line from `base` on, two for
 * each sample. Further pairs of taps are two pixels on each. */
struct lanes {
    size_t base;
    uint16_t index[2 * LANES];
};

struct resizer_bytes {
    const struct plane *in;
    struct plane *out;
    struct axis x, y;
    size_t wide, n;  /* samples in a source row and in an output row */
    uint16_t *down;  /* y.taps for each output row: shares of 2^15 */
    uint16_t *along; /* 2 * pairs for each output pixel: shares of 2^ALONG */
    int pairs;       /* of taps along a row; the last one's second may be spare */
    uint16_t *line;  /* a row before its pixels are made along it */
    uint16_t *ring;  /* as many rows as an output row needs; NULL when rows go down first */
    int done;        /* source rows that have been in the ring */
    const void **row;
    struct lanes *lanes; /* NULL where processors have no use for them */
    uint16_t *weights;   /* of the lanes: pairs x 32 for each */
    int reach;           /* words that their windows have at most */
    bool half;           /* means of two and two pixels: see resize_half.c */
};

/* Shares of `one`, whose sum it is; the largest takes what rounding has left. */
static void shares(const float *weight, int n, int one, uint16_t *to)
{
    int rest = one, largest = 0;

    for (int t = 0; t < n; t++) {
        to[t] = (uint16_t)lrintf(weight[t] * (float)one);
        rest -= to[t];
        largest = weight[t] > weight[largest] ? t : largest;
    }
    to[largest] = (uint16_t)(to[largest] + rest);
}

/* What cutting off products takes from their sum, on average. */
static uint16_t cut_off(const uint16_t *weight, int n)
{
    int inexact = 0;

    for (int t = 0; t < n; t++)
        inexact += weight[t] % 256 != 0;
    return (uint16_t)(inexact / 2);
}

ALWAYS_INLINE uint16_t product(int sum, uint16_t weight)
{
    return (uint16_t)((uint32_t)(uint16_t)sum * weight >> 16);
}

/* On twice the scale of sums. */
ALWAYS_INLINE int load(const void *row, bool bytes, size_t i)
{
    return bytes ? ((const uint8_t *)row)[i] << (SCALE + 1) : ((const uint16_t *)row)[i] << 1;
}

/* Up to four rows onto the sum, n samples from `at` on. */
ALWAYS_INLINE void add_rows(const void *const *row, bool bytes, const uint16_t *weight, int count,
                            int begin, uint16_t *restrict sum, size_t at, size_t n)
{
    const void *r[4];
    uint16_t w[4];

    for (int k = 0; k < 4; k++) {
        r[k] = row[k < count ? k : 0];
        w[k] = weight[k < count ? k : 0];
    }
    for (size_t i = 0; i < n; i++) {
        uint16_t s = begin < 0 ? sum[i] : (uint16_t)begin;

        s = (uint16_t)(s + product(load(r[0], bytes, at + i), w[0]));
        if (count > 1)
            s = (uint16_t)(s + product(load(r[1], bytes, at + i), w[1]));
        if (count > 2)
            s = (uint16_t)(s + product(load(r[2], bytes, at + i), w[2]));
        if (count > 3)
            s = (uint16_t)(s + product(load(r[3], bytes, at + i), w[3]));
        sum[i] = s;
    }
}

ALWAYS_INLINE void add_up_to_four(const void *const *row, bool bytes, const uint16_t *weight,
                                  int count, int begin, uint16_t *sum, size_t at, size_t n)
{
    switch (count) {
    case 1:
        add_rows(row, bytes, weight, 1, begin, sum, at, n);
        break;
    case 2:
        add_rows(row, bytes, weight, 2, begin, sum, at, n);
        break;
    case 3:
        add_rows(row, bytes, weight, 3, begin, sum, at, n);
        break;
    default:
        add_rows(row, bytes, weight, 4, begin, sum, at, n);
    }
}

ALWAYS_INLINE void add_all(const void *const *row, bool bytes, const uint16_t *weight, int count,
                           uint16_t *sum, size_t at, size_t n)
{
    add_up_to_four(row, bytes, weight, count, cut_off(weight, count), sum, at, n);
    for (int k = 4; k < count; k += 4)
        add_up_to_four(row + k, bytes, weight + k, count - k, -1, sum, at, n);
}

/* Rows of bytes down to a line; rows of the ring down to bytes. */
VARIANTS static void bytes_down(const void *const *row, const uint16_t *weight, int count,
                                uint16_t *line, size_t n)
{
    for (size_t at = 0; at < n; at += PART)
        add_all(row, true, weight, count, line + at, at, n - at < PART ? n - at : PART);
}

VARIANTS static void ring_down(const void *const *row, const uint16_t *weight, int count,
                               uint8_t *restrict to, size_t n)
{
    uint16_t sum[PART];

    for (size_t at = 0, m; at < n; at += m) {
        m = n - at < PART ? n - at : PART;
        add_all(row, false, weight, count, sum, at, m);
        for (size_t i = 0; i < m; i++)
            to[at + i] = (uint8_t)((sum[i] + (1 << SCALE) / 2) >> SCALE);
    }
}

VARIANTS static void widen(const uint8_t *restrict from, uint16_t *restrict to, size_t n)
{
    for (size_t i = 0; i < n; i++)
        to[i] = from[i];
}

/* The pixels of a row along a line: to bytes from a line that rows were summed down to, or to words
 * from one of bytes as they are. */
ALWAYS_INLINE void pixels_along(const struct resizer_bytes *w, const uint16_t *line, void *to,
                                bool bytes, int channels)
{
    int shift = bytes ? SCALE + ALONG : ALONG - SCALE;

    for (int x = 0; x < w->out->width; x++) {
        const uint16_t *from = line + w->x.first[x] * channels;
        const uint16_t *weight = w->along + (size_t)x * (size_t)w->pairs * 2;

        for (int b = 0; b < channels; b++) {
            uint32_t sum = 1u << shift >> 1;

            for (int t = 0; t < 2 * w->pairs; t++)
                sum += (uint32_t)weight[t] * from[t * channels + b];
            if (bytes)
                ((uint8_t *)to)[x * channels + b] = (uint8_t)(sum >> shift);
            else
                ((uint16_t *)to)[x * channels + b] = (uint16_t)(sum >> shift);
        }
    }
}

ALWAYS_INLINE void pixels_along_channels(const struct resizer_bytes *w, const uint16_t *line,
                                         void *to, bool bytes)
{
    switch (w->in->channels) {
    case 1:
        pixels_along(w, line, to, bytes, 1);
        break;
    case 2:
        pixels_along(w, line, to, bytes, 2);
        break;
    case 3:
        pixels_along(w, line, to, bytes, 3);
        break;
    case 4:
        pixels_along(w, line, to, bytes, 4);
        break;
    }
}

VARIANTS static void along_to_bytes(const struct resizer_bytes *w, const uint16_t *line, void *to)
{
    pixels_along_channels(w, line, to, true);
}

VARIANTS static void along_to_words(const struct resizer_bytes *w, const uint16_t *line, void *to)
{
    pixels_along_channels(w, line, to, false);
}

#ifdef CPU_HAS_INTRINSICS

/* A pixel of two to four channels at a time: the words of two source pixels are brought side by
 * side. Lines are written over by three samples, of which the last pixels keep clear. */
FOR_SSSE3 static void along_pixels(const struct resizer_bytes *w, const uint16_t *line, void *to,
                                   bool bytes)
{
    size_t channels = (size_t)w->in->channels, step = 2 * channels;
    __m128i count = _mm_cvtsi32_si128(bytes ? SCALE + ALONG : ALONG - SCALE), order;
    __m128i half = _mm_set1_epi32(bytes ? 1 << (SCALE + ALONG - 1) : 1 << (ALONG - SCALE - 1));
    const uint16_t *weight = w->along;
    uint8_t side_by_side[16];

    for (size_t b = 0; b < 4; b++)
        for (size_t i = 0; i < 4; i++)
            side_by_side[4 * b + i] =
                (uint8_t)(b < channels ? 2 * (b + channels * (i / 2)) + i % 2 : 0);
    memcpy(&order, side_by_side, sizeof order);
    for (int x = 0; x < w->out->width; x++) {
        const uint16_t *from = line + (size_t)w->x.first[x] * channels;
        __m128i sum = half;

        for (int j = 0; j < w->pairs; j++, from += step, weight += 2) {
            int two;

            memcpy(&two, weight, sizeof two);
            sum = _mm_add_epi32(
                sum,
                _mm_madd_epi16(
                    _mm_shuffle_epi8(_mm_loadu_si128((const __m128i *)(const void *)from), order),
                    _mm_set1_epi32(two)));
        }
        sum = _mm_sra_epi32(sum, count);
        sum = _mm_packs_epi32(sum, sum);
        if (bytes) {
            int four = _mm_cvtsi128_si32(_mm_packus_epi16(sum, sum));

            memcpy((uint8_t *)to + (size_t)x * channels, &four,
                   x < w->out->width - 4 ? 4 : channels);
        } else {
            _mm_storel_epi64((__m128i *)(void *)((uint16_t *)to + (size_t)x * channels), sum);
        }
    }
}

/* Of windows of 32, 64 or 128 words. */
__attribute__((target("avx512bw,avx512vbmi"), always_inline)) static inline __m512i
lanes_pick(const uint16_t *from, __m512i index, __mmask32 far, int reach)
{
    __m512i near = _mm512_loadu_si512(from);

    if (reach <= 32)
        return _mm512_permutexvar_epi16(index, near);
    near = _mm512_permutex2var_epi16(near, index, _mm512_loadu_si512(from + 32));
    if (reach <= 64)
        return near;
    return _mm512_mask_mov_epi16(near, far,
                                 _mm512_permutex2var_epi16(_mm512_loadu_si512(from + 64), index,
                                                           _mm512_loadu_si512(from + 96)));
}

__attribute__((target("avx512bw,avx512vbmi"), always_inline)) static inline void
lanes_row(const struct resizer_bytes *w, const uint16_t *line, void *to, bool bytes, int reach)
{
    size_t step = 2 * (size_t)w->in->channels;
    const uint16_t *weight = w->weights;
    const struct lanes *l = w->lanes;

    for (size_t at = 0; at < w->n; at += LANES, l++) {
        const uint16_t *from = line + l->base;
        __m512i index = _mm512_loadu_si512(l->index);
        __mmask32 far = reach > 64 ? _mm512_cmpgt_epu16_mask(index, _mm512_set1_epi16(63)) : 0;
        __m512i sum =
            _mm512_set1_epi32(bytes ? 1 << (SCALE + ALONG - 1) : 1 << (ALONG - SCALE - 1));

        for (int j = 0; j < w->pairs; j++, from += step, weight += 2 * LANES)
            sum = _mm512_add_epi32(sum, _mm512_madd_epi16(lanes_pick(from, index, far, reach),
                                                          _mm512_loadu_si512(weight)));
        if (bytes) {
            __m128i levels = _mm512_cvtepi32_epi8(_mm512_srai_epi32(sum, SCALE + ALONG));

            if (w->n - at >= LANES)
                _mm_storeu_si128((__m128i *)(void *)((uint8_t *)to + at), levels);
            else
                memcpy((uint8_t *)to + at, &levels, w->n - at);
        } else {
            _mm256_storeu_si256((__m256i *)(void *)((uint16_t *)to + at),
                                _mm512_cvtepi32_epi16(_mm512_srai_epi32(sum, ALONG - SCALE)));
        }
    }
}

FOR_AVX512_VBMI static void along_lanes(const struct resizer_bytes *w, const uint16_t *line,
                                        void *to, bool bytes)
{
    if (w->reach <= 32)
        bytes ? lanes_row(w, line, to, true, 32) : lanes_row(w, line, to, false, 32);
    else if (w->reach <= 64)
        bytes ? lanes_row(w, line, to, true, 64) : lanes_row(w, line, to, false, 64);
    else
        bytes ? lanes_row(w, line, to, true, 128) : lanes_row(w, line, to, false, 128);
}

/* Behind the last sample, lanes are like it. */
static void lanes_make(struct resizer_bytes *w)
{
    size_t channels = (size_t)w->in->channels, pairs = (size_t)w->pairs;
    size_t groups = (w->n + LANES - 1) / LANES;

    w->lanes = memory_take(groups * sizeof *w->lanes);
    w->weights = memory_take(groups * pairs * 2 * LANES * sizeof *w->weights);
    for (size_t g = 0; g < groups; g++) {
        struct lanes *l = &w->lanes[g];

        l->base = (size_t)w->x.first[g * LANES / channels] * channels;
        for (size_t i = 0; i < LANES; i++) {
            size_t at = g * LANES + i < w->n ? g * LANES + i : w->n - 1, x = at / channels;
            size_t word = (size_t)w->x.first[x] * channels + at % channels - l->base;
            uint16_t *weight = w->weights + (g * pairs * LANES + i) * 2;

            l->index[2 * i] = (uint16_t)word;
            l->index[2 * i + 1] = (uint16_t)(word + channels);
            w->reach = (int)(word + channels) >= w->reach ? (int)(word + channels) + 1 : w->reach;
            for (size_t j = 0; j < pairs; j++)
                memcpy(weight + j * 2 * LANES, w->along + (x * pairs + j) * 2, 2 * sizeof *weight);
        }
    }
}

#endif

static void line_along(const struct resizer_bytes *w, const uint16_t *line, void *to, bool bytes)
{
#ifdef CPU_HAS_INTRINSICS
    if (w->lanes && w->reach <= 128) {
        along_lanes(w, line, to, bytes);
        return;
    }
    if (w->in->channels > 1 && cpu_has(CPU_SSSE3)) {
        along_pixels(w, line, to, bytes);
        return;
    }
#endif
    if (bytes)
        along_to_bytes(w, line, to);
    else
        along_to_words(w, line, to);
}

/* As of floats (resize.c): sideways first, into the ring, or downwards first. */
static void bytes_across_down(struct resizer_bytes *w, int y)
{
    size_t taps = (size_t)w->y.taps, n = w->n + LANES;
    int first = w->y.first[y];

    for (w->done = w->done < first ? first : w->done; w->done < first + w->y.taps; w->done++) {
        widen(plane_row(w->in, w->done), w->line, w->wide);
        line_along(w, w->line, w->ring + (size_t)w->done % taps * n, false);
    }
    for (size_t t = 0; t < taps; t++)
        w->row[t] = w->ring + ((size_t)first + t) % taps * n;
    ring_down(w->row, w->down + (size_t)y * taps, w->y.taps, plane_row(w->out, y), w->n);
}

static void bytes_down_across(struct resizer_bytes *w, int y)
{
    size_t taps = (size_t)w->y.taps;

    for (size_t t = 0; t < taps; t++)
        w->row[t] = plane_row(w->in, w->y.first[y] + (int)t);
    bytes_down(w->row, w->down + (size_t)y * taps, w->y.taps, w->line, w->wide);
    line_along(w, w->line, plane_row(w->out, y), true);
}

struct resizer_bytes *resizer_bytes_begin(const struct plane *in, struct plane *out,
                                          const struct side *x, const struct side *y)
{
    struct resizer_bytes *w;
    size_t behind;

    if (in->type != PIXEL_U8 || x->by->samples || y->by->samples ||
        x->by->interpolation != INTERPOLATION_BILINEAR ||
        fmax(x->stretch->scale, y->stretch->scale) > WIDEST_SCALE)
        return NULL;
    w = memory_take(sizeof *w);
    *w = (struct resizer_bytes){ .in = in,
                                 .out = out,
                                 .wide = (size_t)in->width * (size_t)in->channels,
                                 .n = (size_t)out->width * (size_t)in->channels };
    w->x = axis_make(x->by, x->stretch, x->in, &x->extent);
    w->y = axis_make(y->by, y->stretch, y->in, &y->extent);
    w->half = resize_is_half(&w->x, out->width, &w->y, out->height);
    w->pairs = (w->x.taps + 1) / 2;
    w->along = memory_take((size_t)out->width * (size_t)w->pairs * 2 * sizeof *w->along);
    w->down = memory_take((size_t)out->height * (size_t)w->y.taps * sizeof *w->down);
    for (int k = 0; k < out->width; k++) {
        uint16_t *to = w->along + (size_t)k * (size_t)w->pairs * 2;

        to[w->pairs * 2 - 1] = 0;
        shares(w->x.weight + (size_t)k * (size_t)w->x.taps, w->x.taps, 1 << ALONG, to);
    }
    for (int k = 0; k < out->height; k++)
        shares(w->y.weight + (size_t)k * (size_t)w->y.taps, w->y.taps, 1 << 15,
               w->down + (size_t)k * (size_t)w->y.taps);
    behind = BEHIND + 2 * (size_t)w->pairs * (size_t)in->channels;
    w->line = memory_take((w->wide + behind) * sizeof *w->line);
    memset(w->line + w->wide, 0, behind * sizeof *w->line);
    w->row = memory_take((size_t)w->y.taps * sizeof *w->row);
    if (y->stretch->scale <= 1)
        w->ring = memory_take((size_t)w->y.taps * (w->n + LANES) * sizeof *w->ring);
#ifdef CPU_HAS_INTRINSICS
    if (cpu_has(CPU_AVX512_VBMI) && !w->half)
        lanes_make(w);
#endif
    return w;
}

void resizer_bytes_rows(struct resizer_bytes *w, int y0, int y1)
{
    for (int y = y0; y < y1; y++)
        if (w->half)
            resize_half_row(w->in, w->x.first[0], w->y.first[y], w->out, y);
        else if (w->ring)
            bytes_across_down(w, y);
        else
            bytes_down_across(w, y);
}

void resizer_bytes_end(struct resizer_bytes *w)
{
    free(w->along);
    free(w->down);
    free(w->line);
    free(w->row);
    free(w->ring);
    free(w->lanes);
    free(w->weights);
    axis_drop(&w->x);
    axis_drop(&w->y);
    free(w);
}
