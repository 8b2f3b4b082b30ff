/* warp: samples a plane through a 3x3 matrix, nearest or bilinear.
 *
 * Every position comes from mat3_apply_centre, computed for each pixel, so that images, masks
 * and RLE masks agree to the last bit. Where all taps are certainly inside the source, a loop
 * without border checks runs. Elsewhere another one blends in the fill. */
#include "pixels/move/warp_nearest.h"
#include "pixels/move/warp_u16_f32.h"

/* Fills columns begin..end of row y, whose positions are outside. */
static void take_span(const struct warp *w, int y, int begin, int end)
{
    unsigned char *to = plane_row(w->out, y) + (size_t)begin * w->size;

    if (w->fill->border == PADDING_CONSTANT)
        fill_pixels(to, w->outside, w->size, (size_t)(end - begin));
    else
        for (int x = begin; x < end; x++, to += w->size)
            take_outside(w, warp_at(&w->inverse, x, y, 0), to);
}

ALWAYS_INLINE void nearest_rows(const struct warp *w, int y0, int y1, size_t size)
{
    struct steps steps = steps_of(w);

    if (!mat3_is_affine(&w->inverse)) {
        for (int y = y0; y < y1; y++)
            nearest_span(w, &steps, y, 0, w->out->width, size, false);
        return;
    }
    for (int y = y0; y < y1; y++) {
        int begin, end;

        warp_span(w, &w->limits, y, &begin, &end);
        take_span(w, y, 0, begin);
        nearest_span(w, &steps, y, begin, end, size, true);
        take_span(w, y, end, w->out->width);
    }
}

VARIANTS static void warp_nearest(const struct warp *w, int y0, int y1)
{
    switch (w->size) {
    case 1:
        nearest_rows(w, y0, y1, 1);
        break;
    case 2:
        nearest_rows(w, y0, y1, 2);
        break;
    case 3:
        nearest_rows(w, y0, y1, 3);
        break;
    case 4:
        nearest_rows(w, y0, y1, 4);
        break;
    case 6:
        nearest_rows(w, y0, y1, 6);
        break;
    case 8:
        nearest_rows(w, y0, y1, 8);
        break;
    case 12:
        nearest_rows(w, y0, y1, 12);
        break;
    case 16:
        nearest_rows(w, y0, y1, 16);
        break;
    }
}

ALWAYS_INLINE void blend_span(const struct warp *w, const struct walk *walk, int y, int begin,
                              int end, bool bytes, int channels, bool affine)
{
    const struct plane in = *w->in;
    struct mat3 inverse = affine ? plainly_affine(&w->inverse) : w->inverse;
    uint8_t *to = plane_row(w->out, y);
    _Alignas(64) struct four_taps t; /* whole cache lines for vectors */
    _Alignas(64) struct block k;

    if (!bytes) {
        for (int x = begin; x < end; x += BLOCK) {
            struct positions positions;

            for (int i = 0; i < BLOCK; i++) {
                struct point p = warp_at(&inverse, x + i < end ? x + i : end - 1, y, -0.5);

                positions.x[i] = p.x;
                positions.y[i] = p.y;
            }
            positions_blend(w, &positions, x, y, end - x < BLOCK ? end - x : BLOCK);
        }
        return;
    }
    if (affine && walk_allowed(walk, end - begin)) {
        struct point p = warp_at(&inverse, begin, y, -0.5);
        const uint64_t from[2] = { walk_from(p.x), walk_from(p.y) };

        blend_walk(w, walk, from, y, begin, end, channels);
        return;
    }
    for (int x = begin; x < end; x += BLOCK) {
        int n = end - x < BLOCK ? end - x : BLOCK;
        int outside = block_fill(&k, &inverse, &w->limits, x, y, end, FINE, affine);

        if (outside < BLOCK) {
            block_blend(&in, &k, &t, channels);
            block_store(&t, 0, to + x * channels, n, channels);
        }
        for (int i = 0; outside && i < n; i++)
            if (k.outside[i])
                blend_careful(w, warp_at(&inverse, x + i, y, -0.5), to,
                              (size_t)((x + i) * channels));
    }
}

/* Sets the columns outside which there is only fill, approximately. */
static void warp_fringe(const struct warp *w, int y, int *begin, int *end)
{
    struct limits wider = { 0.5, w->in->width + 2.0, w->in->height + 2.0 };

    *begin = 0;
    *end = w->out->width;
    if (w->fill->border == PADDING_CONSTANT)
        warp_span(w, &wider, y, begin, end);
}

ALWAYS_INLINE void bilinear_rows(const struct warp *w, int y0, int y1, bool bytes, int channels)
{
    size_t size = w->size;
    struct walk walk;

    walk.allowed = false;
    if (!mat3_is_affine(&w->inverse)) {
        for (int y = y0; y < y1; y++)
            blend_span(w, NULL, y, 0, w->out->width, bytes, channels, false);
        return;
    }
    if (bytes)
        walk_begin(&walk, w->in, &w->inverse);
    for (int y = y0; y < y1; y++) {
        unsigned char *to = plane_row(w->out, y);
        int begin, end, first, last;

        warp_fringe(w, y, &first, &last);
        warp_span(w, &w->limits, y, &begin, &end);
        if (begin == end)
            begin = end = last;
        fill_pixels(to, w->outside, size, (size_t)first);
        for (int x = first; x < begin; x++)
            blend_careful(w, warp_at(&w->inverse, x, y, -0.5), to, (size_t)(x * channels));
        blend_span(w, &walk, y, begin, end, bytes, channels, true);
        for (int x = end; x < last; x++)
            blend_careful(w, warp_at(&w->inverse, x, y, -0.5), to, (size_t)(x * channels));
        fill_pixels(to + (size_t)last * size, w->outside, size, (size_t)(w->out->width - last));
    }
}

VARIANTS static void warp_bilinear(const struct warp *w, int y0, int y1)
{
    int channels = w->in->channels;

    if (w->in->type != PIXEL_U8) {
        bilinear_rows(w, y0, y1, false, channels);
        return;
    }
    switch (channels) {
    case 1:
        bilinear_rows(w, y0, y1, true, 1);
        break;
    case 2:
        bilinear_rows(w, y0, y1, true, 2);
        break;
    case 3:
        bilinear_rows(w, y0, y1, true, 3);
        break;
    case 4:
        bilinear_rows(w, y0, y1, true, 4);
        break;
    }
}

static void warp_huge(const struct warp *w, enum interpolation interpolation, int y0, int y1)
{
    for (int y = y0; y < y1; y++)
        for (int x = 0; x < w->out->width; x++)
            warp_careful(w, interpolation, warp_at(&w->inverse, x, y, w->limits.shift), x, y);
}

void plane_warp_rows(const struct plane *in, struct plane *out, const struct mat3 *inverse,
                     enum interpolation interpolation, const struct fill *fill, int y0, int y1)
{
    struct warp w = warp_begin(in, out, interpolation, fill);

    w.inverse = *inverse;
    if (warp_is_huge(in))
        warp_huge(&w, interpolation, y0, y1);
    else if (interpolation == INTERPOLATION_NEAREST)
        warp_nearest(&w, y0, y1);
    else
        warp_bilinear(&w, y0, y1);
}

void plane_warp(const struct plane *in, struct plane *out, const struct mat3 *inverse,
                enum interpolation interpolation, const struct fill *fill)
{
    plane_warp_rows(in, out, inverse, interpolation, fill, 0, out->height);
}
