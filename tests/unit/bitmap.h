/* bitmap: small masks, pixel by pixel, that run lengths are compared with. */
#pragma once

#include "geom/rle.h"

#include "unit.h"

enum { SIDE = 40 };

struct bitmap {
    struct frame f;
    uint8_t px[SIDE * SIDE]; /* row after row, each f.width long */
};

static inline struct rle bitmap_rle(struct arena *arena, const struct bitmap *b)
{
    return rle_from_bitmap(arena, b->px, (size_t)b->f.width, b->f);
}

/* 0 from outside. */
static inline uint8_t bitmap_bit(const struct bitmap *b, int x, int y)
{
    if (x < 0 || y < 0 || x >= b->f.width || y >= b->f.height)
        return 0;
    return b->px[y * b->f.width + x];
}

/* Now and then a line, a prime number or a single pixel. */
static inline int bitmap_random_side(void)
{
    static const int odd[] = { 1, 1, 2, 3, 7, 13, 31, 37, SIDE };
    int i = unit_int(0, 2 * (int)COUNTOF(odd) - 1);

    return i < (int)COUNTOF(odd) ? odd[i] : unit_int(1, SIDE);
}

/* Noise of any density, or a few boxes; now and then empty or full. */
static inline struct bitmap bitmap_random_of(struct frame f)
{
    struct bitmap b = { .f = f };
    int density = unit_int(-20, 120), boxes = unit_int(1, 6);

    if (unit_int(0, 1)) {
        for (int i = 0; i < b.f.width * b.f.height; i++)
            b.px[i] = unit_int(0, 99) < density;
        return b;
    }
    for (int k = 0; k < boxes; k++) {
        int x0 = unit_int(0, b.f.width), x1 = unit_int(x0, b.f.width);
        int y0 = unit_int(0, b.f.height), y1 = unit_int(y0, b.f.height);

        for (int y = y0; y < y1; y++)
            for (int x = x0; x < x1; x++)
                b.px[y * b.f.width + x] ^= 1;
    }
    return b;
}

static inline struct bitmap bitmap_random(void)
{
    return bitmap_random_of((struct frame){ bitmap_random_side(), bitmap_random_side() });
}
