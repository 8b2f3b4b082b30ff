/* displace: samples a plane through a displacement field, nearest or bilinear.
 *
 * The displacements of a row come from field_line, as for RLE masks. Pixels are then made as in a
 * warp: in blocks, and one by one where taps are outside. */
#include "geom/field.h"
#include "pixels/move/warp_u16_f32.h"

#include <stdlib.h>

/* Largest side of images for which 32 bits count parts of pixels. */
#define MAX_SIDE 65535

/* Numbers that are read after the last node of a line. */
enum { AHEAD = 32 };

/* A warp, and the displacements of one row of it. They continue after the row's end, for whole
 * blocks. */
struct displacement {
    struct warp warp;
    const struct field *field;
    float *line, *dx, *dy;
};

VARIANTS static void line_by_nodes(const struct displacement *d, const float *nodes, int y,
                                   float *to)
{
    field_line(d->field, nodes, y, 0, d->warp.out->width, d->line, to);
}

#ifdef CPU_HAS_INTRINSICS

/* Computes exactly what field_line does, sixteen at a time: nodes around neighboring pixels are
 * adjacent. */
FOR_AVX512_VBMI static void line_of_lanes(const struct displacement *d, const float *nodes, int y,
                                          float *restrict to)
{
    const struct field_axis *along = &d->field->x;
    size_t stride = (size_t)along->n + 1;
    const float *a = nodes + (size_t)d->field->y.node[y] * stride, *b = a + stride;
    float share = d->field->y.share[y], *line = along->plain ? to : d->line;
    int x = 0, width = d->warp.out->width;
    size_t n = along->plain ? (size_t)width : stride;

    for (size_t i = 0; share > 0 && i < n; i++)
        line[i] = a[i] + share * (b[i] - a[i]);
    if (!(share > 0))
        memcpy(line, a, n * sizeof *line);
    if (along->plain)
        return;
    for (; x + 16 <= width && along->node[x + 15] - along->node[x] < 31; x += 16) {
        const float *from = line + along->node[x];
        __m512i at = _mm512_sub_epi32(_mm512_loadu_si512(along->node + x),
                                      _mm512_set1_epi32(along->node[x]));
        __m512 before =
            _mm512_permutex2var_ps(_mm512_loadu_ps(from), at, _mm512_loadu_ps(from + 16));
        __m512 after =
            _mm512_permutex2var_ps(_mm512_loadu_ps(from + 1), at, _mm512_loadu_ps(from + 17));
        __m512 by = _mm512_mul_ps(_mm512_loadu_ps(along->share + x), _mm512_sub_ps(after, before));

        _mm512_storeu_ps(to + x, _mm512_add_ps(before, by));
    }
    for (; x < width; x++) {
        int32_t i = along->node[x];

        to[x] = line[i] + along->share[x] * (line[i + 1] - line[i]);
    }
}

#endif

static void displace_line(const struct displacement *d, const float *nodes, int y, float *to)
{
#ifdef CPU_HAS_INTRINSICS
    if (cpu_has_feature(CPU_AVX512_VBMI)) {
        line_of_lanes(d, nodes, y, to);
        return;
    }
#endif
    line_by_nodes(d, nodes, y, to);
}

static void displace_row(const struct displacement *d, int y)
{
    displace_line(d, d->field->dx, y, d->dx);
    displace_line(d, d->field->dy, y, d->dy);
}

ALWAYS_INLINE struct point position(const struct displacement *d, int x, int y)
{
    struct point p = field_centre(x, y, d->dx[x], d->dy[x]);

    p.x += d->warp.limits.shift;
    p.y += d->warp.limits.shift;
    return p;
}

/* Finds whole pixels, exactly those of RLE masks. Returns the number of positions outside, like
 * block_fill. */
ALWAYS_INLINE int find_whole(struct block *k, const struct displacement *d, int x, int y)
{
    const struct limits l = d->warp.limits;
    int outside = 0, end = d->warp.out->width;

    for (int i = 0; i < BLOCK; i++) {
        struct point p = position(d, x + i < end ? x + i : end - 1, y);
        bool out = !warp_inside(p, &l);

        k->x[i] = (uint32_t)(int32_t)(out ? 0 : p.x);
        k->y[i] = (uint32_t)(int32_t)(out ? 0 : p.y);
        k->outside[i] = out;
        outside += out;
    }
    return outside;
}

/* Returns a displacement in parts of a pixel, rounded. All that leave any image are treated
 * alike. */
ALWAYS_INLINE uint32_t fine(float d)
{
    float v = d > -MAX_SIDE ? d < MAX_SIDE ? d : MAX_SIDE : -MAX_SIDE; /* NaN: outside */

    v *= FINE;
    return (uint32_t)(int32_t)(v + (v < 0 ? -0.5f : 0.5f));
}

/* Finds positions in parts of a pixel. Positions left of or above the image wrap around to values
 * far beyond its size. */
ALWAYS_INLINE int find_parts(struct block *k, const struct displacement *d, int x, int y)
{
    uint32_t width = (uint32_t)(d->warp.in->width - 1) * FINE;
    uint32_t height = (uint32_t)(d->warp.in->height - 1) * FINE;
    const float *dx = d->dx + x, *dy = d->dy + x;
    int outside = 0;

    for (int i = 0; i < BLOCK; i++) {
        uint32_t px = (uint32_t)(x + i) * FINE + fine(dx[i]), py = (uint32_t)y * FINE + fine(dy[i]);
        bool out = (px >= width) | (py >= height);

        k->x[i] = out ? 0 : px;
        k->y[i] = out ? 0 : py;
        k->outside[i] = out;
        outside += out;
    }
    return outside;
}

ALWAYS_INLINE void nearest_row(const struct displacement *d, int y, size_t size)
{
    const struct warp *w = &d->warp;
    unsigned char *to = plane_row(w->out, y);
    const unsigned char *px = w->in->px;
    struct block k;

    for (int x = 0; x < w->out->width; x += BLOCK) {
        int n = w->out->width - x < BLOCK ? w->out->width - x : BLOCK;
        int outside = find_whole(&k, d, x, y);

        block_find(&k, w->in, size, 1);
        for (int i = 0; i < n; i++, to += size)
            if (outside && k.outside[i])
                take_outside(w, position(d, x + i, y), to);
            else
                memcpy(to, px + k.at[i], size);
    }
}

VARIANTS static void displace_nearest(const struct displacement *d, int y0, int y1)
{
    for (int y = y0; y < y1; y++) {
        displace_row(d, y);
        switch (d->warp.size) {
        case 1:
            nearest_row(d, y, 1);
            break;
        case 2:
            nearest_row(d, y, 2);
            break;
        case 3:
            nearest_row(d, y, 3);
            break;
        case 4:
            nearest_row(d, y, 4);
            break;
        case 6:
            nearest_row(d, y, 6);
            break;
        case 8:
            nearest_row(d, y, 8);
            break;
        case 12:
            nearest_row(d, y, 12);
            break;
        case 16:
            nearest_row(d, y, 16);
            break;
        }
    }
}

ALWAYS_INLINE void blend_bytes(const struct displacement *d, int y, int channels)
{
    const struct warp *w = &d->warp;
    uint8_t *to = plane_row(w->out, y);
    _Alignas(64) struct four_taps t; /* whole cache lines for vectors */
    _Alignas(64) struct block k;

    for (int x = 0; x < w->out->width; x += BLOCK) {
        int n = w->out->width - x < BLOCK ? w->out->width - x : BLOCK;
        int outside = find_parts(&k, d, x, y);

        if (outside < BLOCK) {
            block_blend(w->in, &k, &t, channels);
            block_store(&t, 0, to + x * channels, n, channels);
        }
        for (int i = 0; outside && i < n; i++)
            if (k.outside[i])
                blend_careful(w, position(d, x + i, y), to, (size_t)((x + i) * channels));
    }
}

/* Blends a row of 16 bits or floats. */
ALWAYS_INLINE void blend_row(const struct displacement *d, int y)
{
    const struct warp *w = &d->warp;
    int end = w->out->width;

    for (int x = 0; x < end; x += BLOCK) {
        struct positions positions;

        for (int i = 0; i < BLOCK; i++) {
            struct point p = position(d, x + i < end ? x + i : end - 1, y);

            positions.x[i] = p.x;
            positions.y[i] = p.y;
        }
        positions_blend(w, &positions, x, y, end - x < BLOCK ? end - x : BLOCK);
    }
}

VARIANTS static void displace_bilinear(const struct displacement *d, int y0, int y1)
{
    for (int y = y0; y < y1; y++) {
        displace_row(d, y);
        if (d->warp.in->type != PIXEL_U8) {
            blend_row(d, y);
            continue;
        }
        switch (d->warp.in->channels) {
        case 1:
            blend_bytes(d, y, 1);
            break;
        case 2:
            blend_bytes(d, y, 2);
            break;
        case 3:
            blend_bytes(d, y, 3);
            break;
        case 4:
            blend_bytes(d, y, 4);
            break;
        }
    }
}

static void displace_huge(const struct displacement *d, enum interpolation interpolation, int y0,
                          int y1)
{
    for (int y = y0; y < y1; y++) {
        displace_row(d, y);
        for (int x = 0; x < d->warp.out->width; x++)
            warp_careful(&d->warp, interpolation, position(d, x, y), x, y);
    }
}

void plane_displace_rows(const struct plane *in, struct plane *out, const struct field *field,
                         enum interpolation interpolation, const struct fill *fill, int y0, int y1)
{
    size_t width = (size_t)out->width + BLOCK, nodes = (size_t)field->x.n + 1 + AHEAD;
    struct displacement d = { .warp = warp_begin(in, out, interpolation, fill), .field = field };

    d.line = memory_take((nodes + 2 * width) * sizeof *d.line);
    d.dx = d.line + nodes;
    d.dy = d.dx + width;
    memset(d.line, 0, (nodes + 2 * width) * sizeof *d.line);
    if (warp_is_huge(in) || out->width > MAX_SIDE || out->height > MAX_SIDE)
        displace_huge(&d, interpolation, y0, y1);
    else if (interpolation == INTERPOLATION_NEAREST)
        displace_nearest(&d, y0, y1);
    else
        displace_bilinear(&d, y0, y1);
    free(d.line);
}
