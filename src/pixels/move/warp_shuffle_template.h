/* warp_shuffle_template: blends spans of bytes whose taps are picked by shuffles, for vectors of 32
 * bytes or, if TAPS_64 is defined, of 64; only for warp_shuffle.c and warp_shuffle_avx512.c. */
#pragma once

#include "pixels/move/warp_spans.h"
#include "pixels/simd/vector.h"

#ifdef CPU_HAS_INTRINSICS

/* Pixels per vector. */
enum { PIXELS = 8 * GROUPS };

/* The parts of a block of pixels, and their lanes relative to the block's first position. */
enum { PARTS = WALK / PIXELS };
struct lanes {
    VECTOR x, x_part, y, y_part; /* see struct walk_lanes */
    VECTOR at, at_next, down;
    size_t offset;
};

INLINE struct lanes lanes_of(const struct walk_lanes *l, int part)
{
    int i = part * PIXELS;

    return (struct lanes){ load_words(l->x + i),    load_words(l->x_part + i),
                           load_words(l->y + i),    load_words(l->y_part + i),
                           load_words(l->at + i),   load_words(l->at_next + i),
                           load_words(l->down + i), l->offset };
}

/* --- taps --- */

/* Copies the bytes of each of four rows from byte `at` on that a group reads, as far as the plane
 * has them. */
static const uint8_t *rows_copied(const struct plane *in, size_t at, uint8_t rows[4][WALK_REACH])
{
    size_t end = ((size_t)in->height - 1) * in->stride + (size_t)(in->width * in->channels);
    size_t reach = walk_reach(in->channels);

    memset(rows, 0, 4 * WALK_REACH);
    for (size_t i = 0; i < 4; i++, at += in->stride)
        if (at < end)
            memcpy(rows[i], (const uint8_t *)in->px + at, end - at < reach ? end - at : reach);
    return rows[0];
}

/* The rows of bytes that the pixels of each group read. */
struct source {
    const uint8_t *at[GROUPS];
    size_t step;
};

INLINE VECTOR taps(const struct source *s, size_t row, size_t offset, VECTOR at)
{
    return V(shuffle_epi8)(load_groups(s->at, row * s->step + offset), at);
}

/* Factors for the pair of taps: the left tap, and the right one minus the left one, both times
 * LEVEL. */
enum { LEFT = LEVEL, RIGHT_LESS_LEFT = (LEVEL << 8) | (-LEVEL & 0xff) };

/* The same as blend_two, for pairs. */
INLINE VECTOR blend_pairs(VECTOR pairs, VECTOR x)
{
    VECTOR left = V(maddubs_epi16)(pairs, V(set1_epi16)(LEFT));
    VECTOR by = V(maddubs_epi16)(pairs, V(set1_epi16)(RIGHT_LESS_LEFT));

    return V(add_epi16)(left, V(mulhrs_epi16)(by, x));
}

/* Rounds to whole levels. In memory, since compilers would build the constant from one word each
 * time. */
#define SAME(place, value) value
static const uint16_t LEVELS[32] = THIRTY_TWO(SAME, FINE / LEVEL);

/* Blends a vector of lanes; x and y are the fractions of the block's first position. */
INLINE VECTOR blend_lanes(const struct source *s, const struct lanes *l, VECTOR x, VECTOR y,
                          bool gentle)
{
    VECTOR lane_x = V(add_epi16)(x, l->x), lane_y = V(add_epi16)(y, l->y), sum;
    carry right = carried(lane_x, l->x_part), below = carried(lane_y, l->y_part);
    VECTOR at = choose_carried(l->at, l->at_next, right);
    VECTOR row0 = taps(s, 0, l->offset, at), row1 = taps(s, 1, l->offset, at),
           row2 = taps(s, 2, l->offset, at);

    if (gentle) {
        row0 = choose_carried(row0, row1, below);
        row1 = choose_carried(row1, row2, below);
    } else {
        VECTOR down = add_carried(l->down, below, 1);

        row0 = choose(choose(row0, row1, down, 0), row2, down, 1);
        row1 = choose(choose(row1, row2, down, 0), taps(s, 3, l->offset, at), down, 1);
    }
    row0 = blend_pairs(row0, V(srli_epi16)(lane_x, 1));
    row1 = blend_pairs(row1, V(srli_epi16)(lane_x, 1));
    sum = V(mulhrs_epi16)(V(sub_epi16)(row1, row0), V(srli_epi16)(lane_y, 1));
    return V(mulhrs_epi16)(V(add_epi16)(row0, sum), load_words(LEVELS));
}

INLINE void blend_pixels(const struct source *s, const struct lanes lanes[4], VECTOR x, VECTOR y,
                         uint8_t *to, int channels, bool gentle)
{
    size_t step = 8 * (size_t)channels;

    for (int v = 0; v < channels; v += 2, to += 16) {
        VECTOR first = blend_lanes(s, &lanes[v], x, y, gentle);

        if (v + 1 < channels)
            store_groups(V(packus_epi16)(first, blend_lanes(s, &lanes[v + 1], x, y, gentle)), to,
                         step);
        else
            store_halves(first, to, step);
    }
}

/* Returns the rows of a part's groups, from the position of the block's first pixel. Sets the
 * lowest of these rows. */
INLINE struct source source_of(const struct plane *in, const struct walk *w, uint32_t x, uint32_t y,
                               int part, int channels, int *lowest)
{
    struct source s = { .step = in->stride };
    const uint8_t *px = in->px;
    uint32_t top[GROUPS];

    for (int k = 0; k < GROUPS; k++) {
        uint32_t left = (x + w->min[0][part * GROUPS + k]) >> 16;

        top[k] = (y + w->min[1][part * GROUPS + k]) >> 16;
        s.at[k] = px + top[k] * in->stride + left * (size_t)channels;
        _mm_prefetch((const char *)((uintptr_t)s.at[k] + (uintptr_t)w->ahead), _MM_HINT_T0);
    }
    *lowest = (int)(top[0] > top[GROUPS - 1] ? top[0] : top[GROUPS - 1]);
    return s;
}

/* Blends a part whose rows may extend past the plane's end, from copies of the rows. */
OUTLINE void blend_copied(const struct plane *in, const struct walk *w, const struct lanes lanes[4],
                          uint32_t x, uint32_t y, int part, uint8_t *to)
{
    uint8_t rows[GROUPS][4][WALK_REACH];
    int lowest;
    struct source s = source_of(in, w, x, y, part, in->channels, &lowest);

    s.step = WALK_REACH;
    for (int k = 0; k < GROUPS; k++)
        s.at[k] = rows_copied(in, (size_t)(s.at[k] - (const uint8_t *)in->px), rows[k]);
    blend_pixels(&s, lanes, V(set1_epi16)((short)x), V(set1_epi16)((short)y), to, in->channels,
                 w->gentle);
}

INLINE void walk(const struct plane *in, const struct walk *w, const uint64_t from[2], uint8_t *to,
                 int n, int channels, bool gentle)
{
    struct lanes lanes[PARTS][4];

    for (int part = 0; part < PARTS; part++)
        for (int v = 0; v < channels; v++)
            lanes[part][v] = lanes_of(&w->lanes[v], part);
    for (int i = 0; i < n; i += WALK) {
        uint32_t x, y;

        i = walk_block(i, n);
        x = walk_position(w, from, 0, i);
        y = walk_position(w, from, 1, i);
        for (int part = 0; part < PARTS; part++) {
            uint8_t *part_to = to + (i + part * PIXELS) * channels;
            int lowest;
            struct source s = source_of(in, w, x, y, part, channels, &lowest);

            if (__builtin_expect(lowest > w->lowest, 0))
                blend_copied(in, w, lanes[part], x, y, part, part_to);
            else
                blend_pixels(&s, lanes[part], V(set1_epi16)((short)x), V(set1_epi16)((short)y),
                             part_to, channels, gentle);
        }
    }
}

INLINE void walk_channels(const struct plane *in, const struct walk *w, const uint64_t from[2],
                          uint8_t *to, int n, int channels)
{
    if (w->gentle)
        walk(in, w, from, to, n, channels, true);
    else
        walk(in, w, from, to, n, channels, false);
}

INLINE void walk_any(const struct plane *in, const struct walk *w, const uint64_t from[2],
                     uint8_t *to, int n)
{
    switch (in->channels) {
    case 1:
        walk_channels(in, w, from, to, n, 1);
        break;
    case 2:
        walk_channels(in, w, from, to, n, 2);
        break;
    case 3:
        walk_channels(in, w, from, to, n, 3);
        break;
    case 4:
        walk_channels(in, w, from, to, n, 4);
    }
}

#endif
