/* warp_taps: spans of bytes whose taps are picked by shuffles, for vectors of 32 bytes or, where
 * TAPS_64 is defined, of 64; only for warp_taps.c and warp_taps_64.c. */
#pragma once

#include "warp_loops.h"
#include "warp_vectors.h"

#ifdef CPU_HAS_INTRINSICS

/* Pixels of a vector. */
enum { PIXELS = 8 * GROUPS };

/* How a coordinate goes on: whole 2^-FRACTION pixel and, apart from them, what of them is left in
 * 2^-32; and beside them the least pixel of each group, in 2^-32. */
struct stepper {
    struct coords whole, part;
    VECTOR step_whole, step_part; /* over a vector of pixels */
    uint64_t least, eight_steps;
};

INLINE VECTOR all(uint32_t v)
{
    return V(set1_epi32)((int)v);
}

INLINE struct coords times(struct coords n, uint32_t by, uint32_t plus)
{
    return (struct coords){ V(add_epi32)(V(mullo_epi32)(n.a, all(by)), all(plus)),
                            V(add_epi32)(V(mullo_epi32)(n.b, all(by)), all(plus)) };
}

enum { PART_BITS = 32 - FRACTION, PART = (1 << PART_BITS) - 1 };

/* Pixel n of a span no longer than walks are, so that no sum of parts overflows. */
INLINE struct stepper stepper_at(uint64_t from, uint64_t step, uint32_t n)
{
    struct coords at = coord_numbers();
    uint32_t whole = (uint32_t)(step >> PART_BITS), part = (uint32_t)step & PART;
    bool back = step >> 63;

    at.a = V(add_epi32)(at.a, all(n));
    at.b = V(add_epi32)(at.b, all(n));
    return (struct stepper){ .whole = times(at, whole, (uint32_t)(from >> PART_BITS)),
                             .part = times(at, part, (uint32_t)from & PART),
                             .step_whole = all(PIXELS * whole),
                             .step_part = all(PIXELS * part),
                             .least = from + (n + (back ? 7 : 0)) * step,
                             .eight_steps = 8 * step };
}

INLINE struct coords stepper_next(struct stepper *s, uint32_t least[GROUPS])
{
    struct coords at = { V(add_epi32)(s->whole.a, V(srli_epi32)(s->part.a, PART_BITS)),
                         V(add_epi32)(s->whole.b, V(srli_epi32)(s->part.b, PART_BITS)) };

    s->whole.a = V(add_epi32)(s->whole.a, s->step_whole);
    s->whole.b = V(add_epi32)(s->whole.b, s->step_whole);
    s->part.a = V(add_epi32)(s->part.a, s->step_part);
    s->part.b = V(add_epi32)(s->part.b, s->step_part);
    for (int k = 0; k < GROUPS; k++, s->least += s->eight_steps)
        least[k] = (uint32_t)(s->least >> 32);
    return at;
}

/* --- lanes --- */

/* Eight pixels are as many vectors of eight lanes as they have channels: lane k of them all is of
 * pixel k / channels and channel k % channels. The taps of a vector lie in sixteen bytes of a row
 * each, `offset` behind the least pixel. */
struct lanes {
    VECTOR pixel;   /* the word of which pixel each lane takes */
    VECTOR channel; /* less the offset, in both bytes */
    size_t offset;
};

#define WORD(k, n) 2 * ((k) / (n)), 2 * ((k) / (n)) + 1
#define REST(k, n) (k) % (n), (k) % (n)
#define EIGHT(of, v, n)                                                                            \
    {                                                                                              \
        of(8 * (v), n), of(8 * (v) + 1, n), of(8 * (v) + 2, n), of(8 * (v) + 3, n),                \
            of(8 * (v) + 4, n), of(8 * (v) + 5, n), of(8 * (v) + 6, n), of(8 * (v) + 7, n)         \
    }
#define VECTORS(of, n)                                                                             \
    {                                                                                              \
        EIGHT(of, 0, n), EIGHT(of, 1, n), EIGHT(of, 2, n), EIGHT(of, 3, n)                         \
    }
static const uint8_t PIXEL[4][4][16] = { VECTORS(WORD, 1), VECTORS(WORD, 2), VECTORS(WORD, 3),
                                         VECTORS(WORD, 4) };
static const uint8_t CHANNEL[4][4][16] = { VECTORS(REST, 1), VECTORS(REST, 2), VECTORS(REST, 3),
                                           VECTORS(REST, 4) };

/* The offset is the least that any of the lanes can have. */
INLINE size_t offset_of(int v, int channels, uint64_t step)
{
    bool back = step >> 63;
    uint64_t length = back ? -step : step;
    size_t least = channels == 1 ? 0 : SIZE_MAX;

    for (int k = 8 * v; least && k < 8 * v + 8; k++) {
        uint64_t n = (uint64_t)(back ? 7 - k / channels : k / channels);
        size_t at = (size_t)(n * length >> 32) * (size_t)channels + (size_t)(k % channels);

        least = at < least ? at : least;
    }
    return least;
}

INLINE struct lanes lanes_of(int v, int channels, uint64_t step)
{
    size_t offset = offset_of(v, channels, step);

    return (struct lanes){
        each_group(PIXEL[channels - 1][v]),
        V(sub_epi8)(each_group(CHANNEL[channels - 1][v]), V(set1_epi8)((char)offset)), offset
    };
}

/* One word of each pixel, for the lanes. */
INLINE VECTOR spread(VECTOR words, const struct lanes *l, int channels)
{
    return channels == 1 ? words : V(shuffle_epi8)(words, l->pixel);
}

/* --- taps --- */

/* Bytes of a row that eight pixels take from, of as many channels as there may be. */
enum { REACH = 40 };
static size_t reach_of(int channels)
{
    return channels == 1 ? 16 : 8 + 8 * (size_t)channels;
}

/* So many bytes of each of four rows from byte `at` on, as far as there are so many. */
static const uint8_t *rows_copied(const struct plane *in, size_t at, uint8_t rows[4][REACH])
{
    size_t end = ((size_t)in->height - 1) * in->stride + (size_t)(in->width * in->channels);
    size_t reach = reach_of(in->channels);

    memset(rows, 0, 4 * REACH);
    for (size_t i = 0; i < 4; i++, at += in->stride)
        if (at < end)
            memcpy(rows[i], (const uint8_t *)in->px + at, end - at < reach ? end - at : reach);
    return rows[0];
}

/* What the pixels of a vector take from: rows of bytes of each group. */
struct source {
    const uint8_t *at[GROUPS];
    size_t step;
};

INLINE VECTOR taps(const struct source *s, size_t row, size_t offset, VECTOR at)
{
    return V(shuffle_epi8)(load_groups(s->at, row * s->step + offset), at);
}

/* Left taps times LEVEL and right ones less those; see blend_lane. */
INLINE VECTOR blend_pairs(VECTOR pairs, VECTOR x)
{
    VECTOR left = V(slli_epi16)(both(pairs, V(set1_epi16)(255)), 7);
    VECTOR by = V(maddubs_epi16)(pairs, V(set1_epi16)(0x1ff)); /* times -1 and 1 */

    return V(add_epi16)(left, V(mulhrs_epi16)(V(slli_epi16)(by, 7), x));
}

/* Of pixels, in words: the bytes of their left and right taps, counted from the least pixel of each
 * group, of its first channel; how many rows down they are; and the parts of a pixel. */
struct places {
    VECTOR at, down, x, y;
};

/* A vector of lanes. */
INLINE VECTOR blend_lanes(const struct source *s, const struct places *p, const struct lanes *l,
                          int channels, bool gentle)
{
    VECTOR at = V(add_epi8)(spread(p->at, l, channels), l->channel), sum;
    VECTOR down = spread(p->down, l, channels), x = spread(p->x, l, channels);
    VECTOR row0 = taps(s, 0, l->offset, at), row1 = taps(s, 1, l->offset, at),
           row2 = taps(s, 2, l->offset, at);

    row0 = choose(row0, row1, down, 0);
    row1 = choose(row1, row2, down, 0);
    if (!gentle) {
        row0 = choose(row0, row2, down, 1);
        row1 = choose(row1, taps(s, 3, l->offset, at), down, 1);
    }
    row0 = blend_pairs(row0, x);
    row1 = blend_pairs(row1, x);
    sum = V(mulhrs_epi16)(V(sub_epi16)(row1, row0), spread(p->y, l, channels));
    sum = V(add_epi16)(V(add_epi16)(row0, sum), V(set1_epi16)(LEVEL / 2));
    return V(srli_epi16)(sum, 7);
}

INLINE void blend_pixels(const struct source *s, const struct places *p,
                         const struct lanes lanes[4], uint8_t *to, int channels, bool gentle)
{
    size_t step = 8 * (size_t)channels;

    for (int v = 0; v < channels; v += 2, to += 16) {
        VECTOR first = blend_lanes(s, p, &lanes[v], channels, gentle);

        if (v + 1 < channels)
            store_groups(V(packus_epi16)(first, blend_lanes(s, p, &lanes[v + 1], channels, gentle)),
                         to, step);
        else
            store_halves(first, to, step);
    }
}

/* Rows of the output are worked on one after another: what a row some way on will read first is
 * asked for now. Along a slope no processor guesses that. */
static ptrdiff_t bytes_ahead(const struct plane *in, const struct mat3 *inverse)
{
    enum { ROWS = 6, TAPS = 3 };
    ptrdiff_t down = (ptrdiff_t)(inverse->m[4] * ROWS) + (inverse->m[4] > 0 ? TAPS : 0);

    return down * (ptrdiff_t)in->stride + (ptrdiff_t)(inverse->m[1] * ROWS) * in->channels;
}

INLINE void walk(const struct plane *in, const struct mat3 *inverse, const uint64_t from[2],
                 const uint64_t step[2], uint8_t *to, int n, int channels, bool gentle)
{
    struct stepper along = stepper_at(from[0], step[0], 0), down = stepper_at(from[1], step[1], 0);
    const uint8_t *px = in->px;
    size_t safe = ((size_t)in->height - 1) * in->stride + (size_t)(in->width * channels);
    size_t reach = 3 * in->stride + reach_of(channels);
    uintptr_t ahead = (uintptr_t)px + (uintptr_t)bytes_ahead(in, inverse);
    const least_pixel least[2] = { least_of(step[0] >> 63), least_of(step[1] >> 63) };
    struct lanes lanes[4];
    uint8_t rows[GROUPS][4][REACH];

    for (int v = 0; v < channels; v++)
        lanes[v] = lanes_of(v, channels, step[0]);
    for (int i = 0; i < n; i += PIXELS) {
        uint32_t left[GROUPS], top[GROUPS];
        struct coords x, y;
        struct places p;
        struct source s = { .step = in->stride };
        size_t byte[GROUPS], last = 0;

        if (i > n - PIXELS) { /* the last may overlap those before */
            i = n - PIXELS;
            along = stepper_at(from[0], step[0], (uint32_t)i);
            down = stepper_at(from[1], step[1], (uint32_t)i);
        }
        x = stepper_next(&along, left);
        y = stepper_next(&down, top);
        p.at = V(mullo_epi16)(coord_pixels(x, least[0]), V(set1_epi16)((short)(0x101 * channels)));
        p.at = V(add_epi16)(p.at, V(set1_epi16)((short)(channels << 8)));
        p.down = coord_pixels(y, least[1]);
        p.x = coord_weights(x);
        p.y = coord_weights(y);
        for (int k = 0; k < GROUPS; k++) {
            byte[k] = top[k] * in->stride + left[k] * (size_t)channels;
            last = last > byte[k] ? last : byte[k];
            s.at[k] = px + byte[k];
            _mm_prefetch((const char *)(ahead + byte[k]), _MM_HINT_T0);
        }
        if (__builtin_expect(last + reach > safe, 0)) {
            s.step = REACH;
            for (int k = 0; k < GROUPS; k++)
                s.at[k] = rows_copied(in, byte[k], rows[k]);
        }
        blend_pixels(&s, &p, lanes, to + i * channels, channels, gentle);
    }
}

INLINE void walk_channels(const struct plane *in, const struct mat3 *inverse,
                          const uint64_t from[2], const uint64_t step[2], uint8_t *to, int n,
                          int channels)
{
    if (fabs(inverse->m[3]) < 0.14)
        walk(in, inverse, from, step, to, n, channels, true);
    else
        walk(in, inverse, from, step, to, n, channels, false);
}

INLINE void walk_any(const struct plane *in, const struct mat3 *inverse, const uint64_t from[2],
                     const uint64_t step[2], uint8_t *to, int n)
{
    switch (in->channels) {
    case 1:
        walk_channels(in, inverse, from, step, to, n, 1);
        break;
    case 2:
        walk_channels(in, inverse, from, step, to, n, 2);
        break;
    case 3:
        walk_channels(in, inverse, from, step, to, n, 3);
        break;
    case 4:
        walk_channels(in, inverse, from, step, to, n, 4);
    }
}

#endif
