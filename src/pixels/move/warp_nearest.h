/* warp_nearest: loops over spans of an output row that copy whole pixels; only for warp*.c. */
#pragma once

#include "pixels/move/warp_spans.h"

/* The distance of each pixel of a block from its first pixel along an affine row, in 2^-16 pixel,
 * rounded. Only for spans with `allowed`. */
struct steps {
    bool allowed;
    uint32_t x[BLOCK], y[BLOCK];
    ptrdiff_t ahead; /* bytes from what a row reads to what a slightly later row reads */
};

/* True if all terms of positions are below 2^30; then no sum in double precision is off by
 * 2^-20. */
static inline bool can_use_steps(const struct warp *w)
{
    const double *m = w->inverse.m, max = 0x1p30;
    double width = w->out->width, height = w->out->height;

    return mat3_is_affine(&w->inverse) && width >= BLOCK && fabs(m[0]) < 1e4 && fabs(m[3]) < 1e4 &&
           fabs(m[0]) * width + fabs(m[1]) * height + fabs(m[2]) < max &&
           fabs(m[3]) * width + fabs(m[4]) * height + fabs(m[5]) < max;
}

static inline struct steps steps_of(const struct warp *w)
{
    enum { ROWS = 6 };
    const double *m = w->inverse.m;
    struct steps s;

    s.allowed = can_use_steps(w);
    if (!s.allowed)
        return s;
    for (int i = 0; i < BLOCK; i++) {
        s.x[i] = (uint32_t)(int64_t)nearbyint(m[0] * i * 0x1p16);
        s.y[i] = (uint32_t)(int64_t)nearbyint(m[3] * i * 0x1p16);
    }
    s.ahead = (ptrdiff_t)(m[4] * ROWS + (m[4] > 0)) * (ptrdiff_t)w->in->stride +
              (ptrdiff_t)(m[1] * ROWS) * (ptrdiff_t)w->size;
    return s;
}

/* Finds a block whose pixels are all inside, of a source whose sides fit 16 bits. The sums are off
 * by slightly more than 2^-16 pixel. If any is that near to the edge of a source pixel, the block
 * is computed exactly by block_fill. */
ALWAYS_INLINE void block_step(struct block *k, const struct warp *w, const struct mat3 *inverse,
                              const struct steps *s, int x, int y)
{
    struct point p = warp_at(inverse, x, y, 0);
    uint32_t first_x = (uint32_t)(int64_t)(p.x * 0x1p16 + 0.5);
    uint32_t first_y = (uint32_t)(int64_t)(p.y * 0x1p16 + 0.5), near = 0;

    for (int i = 0; i < BLOCK; i++) {
        uint32_t at_x = first_x + s->x[i], at_y = first_y + s->y[i];

        near |= (((at_x + 1) & 0xffff) < 3) | (((at_y + 1) & 0xffff) < 3);
        k->x[i] = at_x >> 16;
        k->y[i] = at_y >> 16;
    }
    if (near)
        block_fill(k, inverse, &w->limits, x, y, x + BLOCK, 1, true);
}

/* Copies the pixels of a block. Three bytes are copied as four; the next pixel overwrites the
 * surplus byte. `last`: nothing after the pixels may be read. */
ALWAYS_INLINE void block_pick(const struct block *k, const unsigned char *px, unsigned char *to,
                              size_t size, bool last)
{
    int i = 0;

    for (; size == 3 && !last && i < BLOCK - 8; i += 8)
        for (int j = 0; j < 8; j++, to += size)
            memcpy(to, px + k->at[i + j], 4);
    for (; i < BLOCK; i += 4)
        for (int j = 0; j < 4; j++, to += size)
            memcpy(to, px + k->at[i + j], size);
}

/* Warps a span of at least a block; its last block may overlap the previous one. The pixels of a
 * slightly later row are prefetched: along a slope no processor predicts that. */
ALWAYS_INLINE void nearest_walk(const struct warp *w, const struct steps *s, int y, int begin,
                                int end, size_t size)
{
    const struct plane in = *w->in;
    struct mat3 inverse = plainly_affine(&w->inverse);
    unsigned char *to = plane_row(w->out, y);
    uintptr_t ahead = (uintptr_t)in.px + (uintptr_t)s->ahead;
    uint32_t bottom = (uint32_t)in.height - 1;
    struct block k;

    for (int x = begin; x < end; x += BLOCK) {
        x = x < end - BLOCK ? x : end - BLOCK;
        block_step(&k, w, &inverse, s, x, y);
        block_find(&k, &in, size, 1);
        for (int i = 0; i < BLOCK; i += 8)
            __builtin_prefetch((const void *)(ahead + k.at[i]));
        block_pick(&k, in.px, to + (size_t)x * size, size,
                   k.y[0] == bottom || k.y[BLOCK - 1] == bottom);
    }
}

ALWAYS_INLINE void nearest_span(const struct warp *w, const struct steps *s, int y, int begin,
                                int end, size_t size, bool affine)
{
    const struct plane in = *w->in;
    struct mat3 inverse = affine ? plainly_affine(&w->inverse) : w->inverse;
    unsigned char *to = plane_row(w->out, y) + (size_t)begin * size;
    const unsigned char *px = in.px;
    struct block k;

    if (affine && s->allowed && end - begin >= BLOCK) {
        nearest_walk(w, s, y, begin, end, size);
        return;
    }
    for (int x = begin; x < end; x += BLOCK) {
        int n = end - x < BLOCK ? end - x : BLOCK;
        int outside = block_fill(&k, &inverse, &w->limits, x, y, end, 1, affine);

        block_find(&k, &in, size, 1);
        for (int i = 0; i < n; i++, to += size)
            if (outside && k.outside[i])
                take_outside(w, warp_at(&inverse, x + i, y, 0), to);
            else
                memcpy(to, px + k.at[i], size);
    }
}
