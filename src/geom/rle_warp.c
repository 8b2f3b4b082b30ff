/* rle_warp: masks moved through a raster. */
#include "geom/rle_bits.h"

#include "base/cpu.h"
#include "geom/field.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>

/* The whole pixels of the frame that can take something from the box. */
static struct box reach(const struct mat3 *forward, struct box b, struct frame out)
{
    const double *m = forward->m;
    struct point p[4];
    int signs = 0;
    struct box r;

    box_corners(b, p);
    for (size_t i = 0; i < COUNTOF(p); i++) {
        double w = m[6] * p[i].x + m[7] * p[i].y + m[8];

        signs += (w > 0) - (w < 0);
        p[i] = mat3_apply(forward, p[i]);
        if (!isfinite(p[i].x) || !isfinite(p[i].y))
            return box_of_frame(out);
    }
    /* If the horizon crosses the box, the corners do not bound what is between. */
    if (abs(signs) != (int)COUNTOF(p))
        return box_of_frame(out);
    /* Add a pixel, since forward and inverse match only up to rounding. */
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

/* Looks up whole pixels of the frame one by one: one byte each, column by column. */
static void warp_bits(const struct block *k, const struct mat3 *inverse, struct box to,
                      uint8_t *bit)
{
    for (int x = (int)to.x0; x < (int)to.x1; x++)
        for (int y = (int)to.y0; y < (int)to.y1; y++)
            *bit++ = block_is_set(k, mat3_apply_centre(inverse, x, y));
}

/* Computes one coordinate of mat3_apply_centre for n pixels down a column, from row y, as columns
 * or rows of the block; 0 is outside. */
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

/* Columns of the result that are worked on together: one line of cache for each is near. */
enum { TILE = 256 };

/* Finds the places in the block that the n pixels from (x, y) take; 0 is outside. */
static inline void field_places(const struct block *k, int x, int y, int n, const float *dx,
                                const float *dy, int64_t *restrict place)
{
    double left = k->x0, right = left + k->width, top = k->y0, bottom = top + k->height;
    int64_t stride = (int64_t)block_stride(k);

    for (int i = 0; i < n; i++) {
        struct point p = field_centre(x + i, y, dx[i], dy[i]);
        bool inside = (p.x >= left) & (p.x < right) & (p.y >= top) & (p.y < bottom);
        int32_t column = (int32_t)(inside ? p.x : left) - k->x0 + 1;
        int32_t row = (int32_t)(inside ? p.y : top) - k->y0 + 1;

        place[i] = inside ? column * stride + row : 0;
    }
}

/* n columns from x on, of `to`'s rows; bits column after column. `line` as for field_line. */
VARIANTS static void displace_tile(const struct block *k, const struct field *f, int x, int n,
                                   struct box to, float *line, uint8_t *bit)
{
    int top = (int)to.y0, height = (int)to.y1 - top;
    float room[2][TILE];
    int64_t place[TILE];

    for (int y = 0; y < height; y++) {
        const float *dx = field_row(f, f->dx, top + y, x, x + n, line, room[0]);
        const float *dy = field_row(f, f->dy, top + y, x, x + n, line, room[1]);

        field_places(k, x, top + y, n, dx, dy, place);
        for (int i = 0; i < n; i++)
            bit[(size_t)i * (size_t)height + (size_t)y] = k->at[place[i]];
    }
}

static void displace_bits(const struct block *k, const struct field *f, struct box to, uint8_t *bit)
{
    float *line = memory_take(((size_t)f->x.n + 1) * sizeof *line);
    int end = (int)to.x1;

    for (int x = (int)to.x0; x < end; x += TILE) {
        int n = end - x < TILE ? end - x : TILE;

        displace_tile(k, f, x, n, to, line, bit);
        bit += (size_t)n * (size_t)(to.y1 - to.y0);
    }
    free(line);
}

struct rle rle_warp(struct arena *arena, const struct rle *m, const struct map *map,
                    struct frame out)
{
    struct box from = rle_bounds(m), to = { 0 };
    struct rle moved;
    uint8_t *bits;
    struct block k;

    if (!box_is_empty(from))
        to = map->field ? reach_of_field(map->field, from, out) : reach(&map->forward, from, out);
    if (box_is_empty(to))
        return rle_of_bits(arena, NULL, (struct box){ 0 }, out);
    k = block_of(m, from);
    bits = memory_take((size_t)(to.x1 - to.x0) * (size_t)(to.y1 - to.y0));
    if (map->field)
        displace_bits(&k, map->field, to, bits);
    else if (mat3_is_affine(&map->inverse) && block_size(&k) <= INT32_MAX)
        turn_bits(&k, &map->inverse, to, bits);
    else
        warp_bits(&k, &map->inverse, to, bits);
    moved = rle_of_bits(arena, bits, to, out);
    free(bits);
    free(k.at);
    return moved;
}

/* --- no more than where, and how much --- */

/* How many pixels of the result there are, and the box around them. */
struct extent {
    uint64_t n;
    int x0, y0, x1, y1;
};

/* Adds those of the n pixels from (x, y) that have a place; y never decreases. */
static inline void extent_add(struct extent *e, int x, int y, int n, const int64_t *place)
{
    int64_t count = 0;

    for (int i = 0; i < n; i++)
        count += place[i] != 0;
    if (!count)
        return;
    e->n += (uint64_t)count;
    e->y0 = y < e->y0 ? y : e->y0;
    e->y1 = y + 1;
    for (int i = 0; i < n && x + i < e->x0; i++)
        if (place[i])
            e->x0 = x + i;
    for (int i = n; i > 0 && x + i > e->x1; i--)
        if (place[i - 1])
            e->x1 = x + i;
}

/* The pixels of `to` that a field takes from a block that is all ones. */
VARIANTS static void extent_of_field(const struct block *k, const struct field *f, struct box to,
                                     float *line, struct extent *e)
{
    float room[2][TILE];
    int64_t place[TILE];
    int end = (int)to.x1;

    for (int y = (int)to.y0; y < (int)to.y1; y++)
        for (int x = (int)to.x0; x < end; x += TILE) {
            int n = end - x < TILE ? end - x : TILE;
            const float *dx = field_row(f, f->dx, y, x, x + n, line, room[0]);
            const float *dy = field_row(f, f->dy, y, x, x + n, line, room[1]);

            field_places(k, x, y, n, dx, dy, place);
            extent_add(e, x, y, n, place);
        }
}

/* True if the mask is a solid box. */
static bool is_box(const struct rle *m, struct box b)
{
    return (double)rle_area(m) == (b.x1 - b.x0) * (b.y1 - b.y0);
}

struct box rle_moved_bounds(const struct rle *m, const struct map *map, struct frame out,
                            uint64_t *area)
{
    struct box from = rle_bounds(m), to = { 0 }, bounds;
    struct arena scratch = { 0 };
    struct rle moved;

    if (map->field && is_box(m, from)) {
        struct extent e = { .x0 = INT_MAX, .y0 = INT_MAX };
        struct block k = block_around(from);
        float *line = memory_take(((size_t)map->field->x.n + 1) * sizeof *line);

        if (!box_is_empty(from))
            to = reach_of_field(map->field, from, out);
        extent_of_field(&k, map->field, to, line, &e);
        free(line);
        *area = e.n;
        return e.n ? (struct box){ e.x0, e.y0, e.x1, e.y1 } : (struct box){ 0 };
    }
    moved = rle_move(&scratch, m, map, out);
    bounds = rle_bounds(&moved);
    *area = rle_area(&moved);
    arena_drop(&scratch);
    return bounds;
}
