/* warp_part: a warp of a part of the picture that half-planes bound, for maps that stand for
 * several canvases one after another. */
#include "warp_nearest.h"

/* The columns [*begin, *end) of row y whose centres are at least `margin` inside of all edges. */
ALWAYS_INLINE void edges_span(const struct edges *edges, double margin, int y, int width,
                              int *begin, int *end)
{
    double lo = 0, hi = width - 1;

    for (size_t i = 0; i < edges->n; i++) {
        const struct edge *e = &edges->at[i];
        double rest = e->b * (y + 0.5) + e->c - margin, x = -rest / e->a - 0.5;

        if (e->a > 0) {
            x = ceil(x);
            lo = x > lo ? x : lo;
        } else if (e->a < 0) {
            x = floor(x);
            hi = x < hi ? x : hi;
        } else if (rest < 0) {
            hi = -1;
        }
    }
    *begin = lo > hi ? 0 : (int)lo;
    *end = lo > hi ? 0 : (int)hi + 1;
}

/* Pixels at less than half a pixel outside still show something; and those of luma there may ask
 * chroma of half the size for a pixel that is a little farther off. */
enum { REACH = -1 };

static double shown(enum interpolation interpolation)
{
    return interpolation == INTERPOLATION_NEAREST ? 0 : -0.5;
}

/* --- the warp --- */

static double between(double v, double most)
{
    return v > 0 ? v < most ? v : most : 0; /* not a number: 0 */
}

/* One pixel, taps outside of the source taken from its border. */
static void warp_repeated(const struct warp *w, enum interpolation interpolation, int x, int y)
{
    const struct plane *in = w->in;
    struct point p = warp_at(&w->inverse, x, y, w->limits.shift);
    double px = between(p.x, in->width - 1), py = between(p.y, in->height - 1);
    int left = (int)px, top = (int)py;
    int right = left + 1 < in->width ? left + 1 : left;
    int below = top + 1 < in->height ? top + 1 : top;
    float fx = (float)(px - left), fy = (float)(py - top);
    const void *a = plane_row(in, top), *b = plane_row(in, below);
    size_t channels = (size_t)in->channels, l = (size_t)left * channels,
           r = (size_t)right * channels;
    size_t at = (size_t)x * channels;

    for (size_t c = 0; c < channels; c++) {
        float a0 = sample_load(a, in->type, l + c), a1 = sample_load(a, in->type, r + c);
        float b0 = sample_load(b, in->type, l + c), b1 = sample_load(b, in->type, r + c);
        float up = a0 + fx * (a1 - a0), down = b0 + fx * (b1 - b0);

        sample_store(plane_row(w->out, y), in->type, at + c,
                     interpolation == INTERPOLATION_NEAREST ? a0 : up + fy * (down - up));
    }
}

ALWAYS_INLINE void inside_span(const struct warp *w, const struct steps *steps,
                               enum interpolation interpolation, int y, int begin, int end,
                               int channels)
{
    const struct plane *in = w->in;

    if (interpolation == INTERPOLATION_NEAREST && in->type == PIXEL_U8)
        nearest_span(w, steps, y, begin, end, (size_t)channels, true);
    else if (interpolation == INTERPOLATION_NEAREST && in->type == PIXEL_U16)
        nearest_span(w, steps, y, begin, end, 2 * (size_t)channels, true);
    else if (in->type == PIXEL_U8 && walk_allowed(&w->inverse, end - begin))
        blend_walk(w, y, begin, end, channels);
    else
        for (int x = begin; x < end; x++)
            warp_repeated(w, interpolation, x, y);
}

/* Where a row lies in the part, and where in it all taps are inside of the source. */
struct span {
    int first, begin, end, last;
};

static int clamp(int v, int lo, int hi)
{
    return v < lo ? lo : v > hi ? hi : v;
}

ALWAYS_INLINE struct span span_of(const struct warp *w, const struct edges *edges, int y)
{
    struct span s = { 0 };

    edges_span(edges, REACH, y, w->out->width, &s.first, &s.last);
    if (warp_is_huge(w->in))
        s.begin = s.end = s.last;
    else
        warp_span(w, &w->limits, y, &s.begin, &s.end);
    s.begin = clamp(s.begin, s.first, s.last);
    s.end = clamp(s.end, s.begin, s.last);
    return s;
}

/* What is asked for of a warp. */
struct inside {
    enum interpolation interpolation;
    const struct edges *edges;
    row_shift_fn *shift;
    int y0, y1;
};

ALWAYS_INLINE void inside_rows(const struct warp *all, const struct inside *asked, int channels)
{
    const double *m = all->inverse.m;
    enum interpolation interpolation = asked->interpolation;
    struct warp w = *all;
    struct steps steps;

    if (interpolation == INTERPOLATION_NEAREST)
        steps = steps_of(all);
    for (int y = asked->y0; y < asked->y1; y++) {
        double shift = asked->shift ? asked->shift(y) : 0;
        unsigned char *to = plane_row(w.out, y);
        struct span s;

        w.inverse.m[2] = m[2] + m[0] * shift;
        w.inverse.m[5] = m[5] + m[3] * shift;
        s = span_of(&w, asked->edges, y);

        memset(to, 0, (size_t)s.first * w.size);
        memset(to + (size_t)s.last * w.size, 0, (size_t)(w.out->width - s.last) * w.size);
        for (int x = s.first; x < s.begin; x++)
            warp_repeated(&w, interpolation, x, y);
        inside_span(&w, &steps, interpolation, y, s.begin, s.end, channels);
        for (int x = s.end; x < s.last; x++)
            warp_repeated(&w, interpolation, x, y);
    }
}

VARIANTS static void inside_channels(const struct warp *w, const struct inside *asked)
{
    switch (w->in->channels) {
    case 1:
        inside_rows(w, asked, 1);
        break;
    case 2:
        inside_rows(w, asked, 2);
        break;
    case 3:
        inside_rows(w, asked, 3);
        break;
    case 4:
        inside_rows(w, asked, 4);
        break;
    }
}

void plane_warp_inside(const struct plane *in, struct plane *out, const struct mat3 *inverse,
                       enum interpolation interpolation, const struct edges *edges,
                       row_shift_fn *shift, int y0, int y1)
{
    struct warp w = { .in = in,
                      .out = out,
                      .inverse = plainly_affine(inverse),
                      .limits = { 0, in->width, in->height },
                      .size = pixel_type_size(in->type) * (size_t)in->channels };

    if (interpolation != INTERPOLATION_NEAREST)
        w.limits = (struct limits){ -0.5, in->width - 1 - 1.0 / FINE, in->height - 1 - 1.0 / FINE };
    inside_channels(&w, &(struct inside){ interpolation, edges, shift, y0, y1 });
}

/* --- the fill --- */

static double cover_at(const struct edges *edges, int x, int y)
{
    double cover = 1;

    for (size_t i = 0; i < edges->n; i++) {
        const struct edge *e = &edges->at[i];
        double inside = e->a * (x + 0.5) + e->b * (y + 0.5) + e->c + 0.5;

        cover = inside < cover ? inside : cover;
    }
    return cover > 0 ? cover : 0;
}

static void fill_part(struct plane *out, const struct edges *edges, const struct fill *fill, int x,
                      int y)
{
    double cover = cover_at(edges, x, y);
    size_t at = (size_t)x * (size_t)out->channels;

    for (size_t c = 0; c < (size_t)out->channels; c++) {
        void *row = plane_row(out, y);
        double v = (double)sample_load(row, out->type, at + c);

        sample_store(row, out->type, at + c,
                     (float)(fill->channel[c] + cover * (v - fill->channel[c])));
    }
}

VARIANTS static void fill_rows(struct plane *out, enum interpolation interpolation,
                               const struct edges *edges, const struct fill *fill, int y0, int y1)
{
    size_t size = pixel_type_size(out->type) * (size_t)out->channels;
    unsigned char pixel[16];

    fill_bytes(fill, out->type, out->channels, pixel);
    for (int y = y0; y < y1; y++) {
        unsigned char *to = plane_row(out, y);
        int first, last, begin, end;

        edges_span(edges, shown(interpolation), y, out->width, &first, &last);
        edges_span(edges, interpolation == INTERPOLATION_NEAREST ? 0 : 0.5, y, out->width, &begin,
                   &end);
        begin = begin < end ? begin : last;
        end = begin < end ? end : last;
        fill_pixels(to, pixel, size, (size_t)first);
        fill_pixels(to + (size_t)last * size, pixel, size, (size_t)(out->width - last));
        for (int x = first; x < begin; x++)
            fill_part(out, edges, fill, x, y);
        for (int x = end; x < last; x++)
            fill_part(out, edges, fill, x, y);
    }
}

void plane_fill_outside(struct plane *out, enum interpolation interpolation,
                        const struct edges *edges, const struct fill *fill, int y0, int y1)
{
    if (edges->n)
        fill_rows(out, interpolation, edges, fill, y0, y1);
}
