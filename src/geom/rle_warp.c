/* rle_warp: masks moved through a raster. */
#include "runs.h"

#include "../base/cpu.h"
#include "field.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The part of the mask that is not all 0, column after column, one byte a pixel; before each
 * column, and before the first one, stands what is outside: zeros. */
struct block {
    int x0, y0, width, height;
    uint8_t *at;
};

static size_t block_stride(const struct block *k)
{
    return (size_t)k->height + 1;
}

static size_t block_size(const struct block *k)
{
    return ((size_t)k->width + 1) * block_stride(k);
}

static struct block block_of(const struct rle *m, struct box b)
{
    struct block k = { (int)b.x0, (int)b.y0, (int)(b.x1 - b.x0), (int)(b.y1 - b.y0), NULL };
    size_t stride = block_stride(&k), size = block_size(&k);
    struct columns c = columns_of(m);

    k.at = memset(memory_take(size), 0, size);
    for (int x = 0; x < k.width; x++)
        for (size_t i = c.start[k.x0 + x]; i < c.start[k.x0 + x + 1]; i += 2)
            memset(k.at + ((size_t)x + 1) * stride + 1 + (c.row[i] - k.y0), 1,
                   (size_t)(c.row[i + 1] - c.row[i]));
    columns_drop(&c);
    return k;
}

static bool block_has(const struct block *k, struct point p)
{
    /* Said so that what is not a number is outside. */
    if (!(p.x >= k->x0 && p.x < k->x0 + k->width && p.y >= k->y0 && p.y < k->y0 + k->height))
        return false;
    /* Not negative, so this is floor. */
    return k->at[((size_t)((int)p.x - k->x0) + 1) * block_stride(k) + 1 +
                 (size_t)((int)p.y - k->y0)] != 0;
}

/* The whole pixels of the frame that can take something from the box. */
static struct box reach(const struct mat3 *forward, struct box b, struct frame out)
{
    struct point p[] = { { b.x0, b.y0 }, { b.x1, b.y0 }, { b.x1, b.y1 }, { b.x0, b.y1 } };
    const double *m = forward->m;
    int signs = 0;
    struct box r;

    for (size_t i = 0; i < COUNTOF(p); i++) {
        double w = m[6] * p[i].x + m[7] * p[i].y + m[8];

        signs += (w > 0) - (w < 0);
        p[i] = mat3_apply(forward, p[i]);
        if (!isfinite(p[i].x) || !isfinite(p[i].y))
            return box_of_frame(out);
    }
    /* Where the horizon runs through the box, the corners say nothing about what is between. */
    if (abs(signs) != (int)COUNTOF(p))
        return box_of_frame(out);
    /* One pixel more, for forward and inverse are each other's only up to rounding. */
    r = box_of_points(p, COUNTOF(p));
    return box_intersect(
        (struct box){ floor(r.x0) - 1, floor(r.y0) - 1, ceil(r.x1) + 1, ceil(r.y1) + 1 },
        box_of_frame(out));
}

/* The same for a field. */
static struct box reach_of_field(const struct field *f, struct box b, struct frame out)
{
    return box_intersect((struct box){ floor(b.x0 - f->range.x1) - 1, floor(b.y0 - f->range.y1) - 1,
                                       ceil(b.x1 - f->range.x0) + 1, ceil(b.y1 - f->range.y0) + 1 },
                         box_of_frame(out));
}

/* Whole pixels of the frame, asked one by one: a byte each, column after column. */
static void warp_bits(const struct block *k, const struct mat3 *inverse, struct box to,
                      uint8_t *bit)
{
    for (int x = (int)to.x0; x < (int)to.x1; x++)
        for (int y = (int)to.y0; y < (int)to.y1; y++)
            *bit++ = block_has(k, mat3_apply_centre(inverse, x, y));
}

/* One coordinate of what mat3_apply_centre says for n pixels down a column, from row y on, as the
 * block's columns or rows, of which 0 is outside. */
static inline void block_lines(const double m[3], int x, int y, int n, int begin, int length,
                               int32_t *to)
{
    double across = m[0] * (x + 0.5), down = m[1], shift = m[2];
    double low = begin, high = (double)begin + length, outside = low - 1;

    for (int i = 0; i < n; i++) {
        double at = across + down * (y + i + 0.5) + shift;

        at = at >= low ? at : outside;
        at = at < high ? at : outside;
        to[i] = (int32_t)at - (begin - 1);
    }
}

/* Where in the block the pixels of a column are. */
VARIANTS static void block_places(const struct block *k, const double *m, int x, int y, int n,
                                  int32_t *restrict place, int32_t *restrict row)
{
    int32_t stride = (int32_t)block_stride(k);

    block_lines(m, x, y, n, k->x0, k->width, place);
    block_lines(m + 3, x, y, n, k->y0, k->height, row);
    for (int i = 0; i < n; i++)
        place[i] = place[i] * stride + row[i];
}

/* The same bits, for maps that are affine, and places that fit their type. */
static void turn_bits(const struct block *k, const struct mat3 *inverse, struct box to,
                      uint8_t *bit)
{
    int top = (int)to.y0, height = (int)to.y1 - top;
    int32_t *place = memory_take(2 * (size_t)height * sizeof *place);

    for (int x = (int)to.x0; x < (int)to.x1; x++, bit += height) {
        block_places(k, inverse->m, x, top, height, place, place + height);
        for (int i = 0; i < height; i++)
            bit[i] = k->at[place[i]];
    }
    free(place);
}

static void displace_bits(const struct block *k, const struct field *f, struct box to, uint8_t *bit)
{
    int left = (int)to.x0, top = (int)to.y0, width = (int)to.x1 - left, height = (int)to.y1 - top;
    float *line = memory_take(((size_t)f->x.n + 1 + 2 * (size_t)width) * sizeof *line);
    float *dx = line + f->x.n + 1, *dy = dx + width;

    for (int y = 0; y < height; y++) {
        field_line(f, f->dx, top + y, left, left + width, line, dx);
        field_line(f, f->dy, top + y, left, left + width, line, dy);
        for (int x = 0; x < width; x++)
            bit[(size_t)x * (size_t)height + (size_t)y] =
                block_has(k, field_centre(left + x, top + y, dx[x], dy[x]));
    }
    free(line);
}

static void add_bits(struct runs *runs, const uint8_t *bit, const uint8_t *end)
{
    while (bit < end) {
        const uint8_t *next = memchr(bit, !*bit, (size_t)(end - bit));

        next = next ? next : end;
        runs_add(runs, *bit, (uint64_t)(next - bit));
        bit = next;
    }
}

struct rle rle_warp(struct arena *arena, const struct rle *m, const struct map *map,
                    struct frame out)
{
    struct runs runs = { .arena = arena };
    struct box from = rle_bounds(m), to = { 0 };
    uint64_t h = (uint64_t)out.height, top, height;
    uint8_t *bits, *bit;
    struct block k;

    if (!box_is_empty(from))
        to = map->field ? reach_of_field(map->field, from, out) : reach(&map->forward, from, out);
    if (box_is_empty(to)) {
        runs_add(&runs, false, h * (uint64_t)out.width);
        return runs_end(&runs, out.height, out.width);
    }
    k = block_of(m, from);
    top = (uint64_t)to.y0;
    height = (uint64_t)(to.y1 - to.y0);
    bit = bits = memory_take((size_t)(to.x1 - to.x0) * (size_t)height);
    if (map->field)
        displace_bits(&k, map->field, to, bits);
    else if (mat3_is_affine(&map->inverse) && block_size(&k) <= INT32_MAX)
        turn_bits(&k, &map->inverse, to, bits);
    else
        warp_bits(&k, &map->inverse, to, bits);
    runs_add(&runs, false, h * (uint64_t)to.x0);
    for (int x = (int)to.x0; x < (int)to.x1; x++, bit += height) {
        runs_add(&runs, false, top);
        add_bits(&runs, bit, bit + height);
        runs_add(&runs, false, h - top - height);
    }
    runs_add(&runs, false, h * (uint64_t)(out.width - (int)to.x1));
    free(bits);
    free(k.at);
    return runs_end(&runs, out.height, out.width);
}
