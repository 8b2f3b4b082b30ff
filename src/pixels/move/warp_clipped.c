/* warp_clipped: warps the part of an image that is inside half-planes, for maps that represent
 * several canvases one after another. */
#include "pixels/move/warp_nearest.h"

/* The starts and ends of several rows are computed at once, so that compilers use vectors. */
enum { ROWS = 16 };
struct ends {
    int begin[ROWS], end[ROWS];
};

/* Returns the columns of ROWS rows from y on whose centers are at least `margin` inside all
 * edges. */
ALWAYS_INLINE struct ends edges_ends(const struct edges *edges, double margin, int y, int width)
{
    double lo[ROWS] = { 0 }, hi[ROWS];
    struct ends ends;

    for (int k = 0; k < ROWS; k++)
        hi[k] = width - 1;
    for (size_t i = 0; i < edges->n; i++) {
        struct edge e = edges->at[i];
        double per = -1 / e.a; /* unused if the edge is parallel to the rows */

        for (int k = 0; k < ROWS; k++) {
            double rest = e.b * (y + k + 0.5) + e.c - margin, x = rest * per - 0.5;
            double first = ceil(x), last = floor(x);

            lo[k] = e.a > 0 && first > lo[k] ? first : lo[k];
            hi[k] = e.a < 0 && last < hi[k] ? last : hi[k];
            hi[k] = e.a == 0 && rest < 0 ? -1 : hi[k];
        }
    }
    for (int k = 0; k < ROWS; k++) {
        ends.begin[k] = lo[k] > hi[k] ? 0 : (int)lo[k];
        ends.end[k] = lo[k] > hi[k] ? 0 : (int)hi[k] + 1;
    }
    return ends;
}

/* Pixels less than half a pixel outside are still partly visible. For luma, they may need half-size
 * chroma for a pixel slightly farther outside. */
enum { REACH = -1 };

static double shown(enum interpolation interpolation)
{
    return interpolation == INTERPOLATION_NEAREST ? 0 : -0.5;
}

/* --- the warp --- */

static double clamp_position(double v, double max)
{
    return v > 0 ? v < max ? v : max : 0; /* NaN becomes 0 */
}

/* Warps one pixel; taps outside the source repeat its border. */
static void warp_repeated(const struct warp *w, enum interpolation interpolation, int x, int y)
{
    const struct plane *in = w->in;
    struct point p = warp_at(&w->inverse, x, y, w->limits.shift);
    double px = clamp_position(p.x, in->width - 1), py = clamp_position(p.y, in->height - 1);
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

/* The columns of rows that are inside the part, and those among them with all taps inside the
 * source. */
struct spans {
    int first[ROWS], begin[ROWS], end[ROWS], last[ROWS];
    uint64_t from[ROWS][2]; /* first positions of walks */
};

ALWAYS_INLINE int clamp(int v, int lo, int hi)
{
    return v < lo ? lo : v > hi ? hi : v;
}

/* The offsets of rows in the source: the part of a position that differs between rows. */
struct row_offsets {
    double x[ROWS], y[ROWS];
};

/* Returns the position of column x of row y + k, computed as by warp_at. */
ALWAYS_INLINE struct point row_at(const struct warp *w, const struct row_offsets *offsets, int k,
                                  double x, int y)
{
    const double *m = w->inverse.m;
    double cx = x + 0.5, cy = y + k + 0.5;

    return (struct point){ m[0] * cx + m[1] * cy + offsets->x[k] + w->limits.shift,
                           m[3] * cx + m[4] * cy + offsets->y[k] + w->limits.shift };
}

ALWAYS_INLINE bool row_is_inside(const struct warp *w, const struct row_offsets *offsets, int k,
                                 double x, int y)
{
    return warp_inside(row_at(w, offsets, k, x, y), &w->limits);
}

/* Returns for rows y on what warp_span returns for one row. */
ALWAYS_INLINE struct ends rows_inside(const struct warp *w, const struct row_offsets *offsets,
                                      int y)
{
    enum { TESTS = 3 /* finds most ends */ };
    double x0[ROWS], x1[ROWS], from_x[ROWS], from_y[ROWS];
    int64_t left = 0;
    struct ends e;

    for (int k = 0; k < ROWS; k++) {
        struct point p = row_at(w, offsets, k, 0, y);

        from_x[k] = p.x;
        from_y[k] = p.y;
        x0[k] = 0;
        x1[k] = w->out->width;
    }
    for (int k = 0; k < ROWS; k++)
        narrow(from_x[k], w->inverse.m[0], w->limits.width, &x0[k], &x1[k]);
    for (int k = 0; k < ROWS; k++)
        narrow(from_y[k], w->inverse.m[3], w->limits.height, &x0[k], &x1[k]);
    for (int k = 0; k < ROWS; k++) {
        x1[k] = x0[k] < x1[k] ? floor(x1[k]) : 0;
        x0[k] = x0[k] < x1[k] ? floor(x0[k]) : x1[k];
    }
    for (int t = 0; t < TESTS; t++)
        for (int k = 0; k < ROWS; k++) {
            bool first = (x0[k] < x1[k]) & !row_is_inside(w, offsets, k, x0[k], y), last;

            x0[k] += first ? 1.0 : 0.0;
            last = (x0[k] < x1[k]) & !row_is_inside(w, offsets, k, x1[k] - 1, y);
            x1[k] -= last ? 1.0 : 0.0;
        }
    for (int k = 0; k < ROWS; k++) {
        bool first = row_is_inside(w, offsets, k, x0[k], y);
        bool last = row_is_inside(w, offsets, k, x1[k] - 1, y);

        left |= (x0[k] < x1[k]) & !(first & last);
    }
    for (int k = 0; k < ROWS && left; k++) {
        while (x0[k] < x1[k] && !row_is_inside(w, offsets, k, x0[k], y))
            x0[k]++;
        while (x0[k] < x1[k] && !row_is_inside(w, offsets, k, x1[k] - 1, y))
            x1[k]--;
    }
    for (int k = 0; k < ROWS; k++) {
        e.begin[k] = (int)x0[k];
        e.end[k] = (int)x1[k];
    }
    return e;
}

ALWAYS_INLINE struct spans spans_of(const struct warp *w, const struct edges *edges,
                                    const struct row_offsets *offsets, int y)
{
    struct ends part = edges_ends(edges, REACH, y, w->out->width), taps = part;
    struct spans s;

    if (!warp_is_huge(w->in))
        taps = rows_inside(w, offsets, y);
    for (int k = 0; k < ROWS; k++) {
        s.first[k] = part.begin[k];
        s.last[k] = part.end[k];
        s.begin[k] = clamp(taps.begin[k], s.first[k], s.last[k]);
        s.end[k] = clamp(taps.end[k], s.begin[k], s.last[k]);
        if (warp_is_huge(w->in))
            s.begin[k] = s.end[k] = s.last[k];
    }
    for (int k = 0; k < ROWS; k++) {
        bool any = s.begin[k] < s.end[k];
        struct point p = row_at(w, offsets, k, s.begin[k], y);

        s.from[k][0] = walk_from(any ? p.x : 0);
        s.from[k][1] = walk_from(any ? p.y : 0);
    }
    return s;
}

/* The arguments of plane_warp_inside. */
struct inside {
    enum interpolation interpolation;
    const struct edges *edges;
    row_shift_fn *shift;
    int y0, y1;
};

/* Warps row y, which is row k of the spans. */
ALWAYS_INLINE void inside_row(const struct warp *w, const struct steps *steps,
                              const struct walk *walk, enum interpolation interpolation,
                              const struct spans *s, int k, int y, int channels)
{
    enum pixel_type type = w->in->type;
    unsigned char *to = plane_row(w->out, y);
    int begin = s->begin[k], end = s->end[k];

    if (s->first[k] > 0)
        memset(to, 0, (size_t)s->first[k] * w->size);
    if (s->last[k] < w->out->width)
        memset(to + (size_t)s->last[k] * w->size, 0,
               (size_t)(w->out->width - s->last[k]) * w->size);
    for (int x = s->first[k]; x < begin; x++)
        warp_repeated(w, interpolation, x, y);
    if (interpolation == INTERPOLATION_NEAREST && type == PIXEL_U8)
        nearest_span(w, steps, y, begin, end, (size_t)channels, true);
    else if (interpolation == INTERPOLATION_NEAREST && type == PIXEL_U16)
        nearest_span(w, steps, y, begin, end, 2 * (size_t)channels, true);
    else if (walk_allowed(walk, end - begin))
        blend_walk(w, walk, s->from[k], y, begin, end, channels);
    else
        for (int x = begin; x < end; x++)
            warp_repeated(w, interpolation, x, y);
    for (int x = end; x < s->last[k]; x++)
        warp_repeated(w, interpolation, x, y);
}

ALWAYS_INLINE void inside_rows(const struct warp *all, const struct inside *asked, int channels)
{
    const double *m = all->inverse.m;
    struct warp w = *all;
    struct steps steps = { .allowed = false };
    struct walk walk;

    walk.allowed = false;
    if (asked->interpolation == INTERPOLATION_NEAREST)
        steps = steps_of(all);
    else if (w.in->type == PIXEL_U8)
        walk_begin(&walk, w.in, &w.inverse);
    for (int y = asked->y0; y < asked->y1; y += ROWS) {
        struct row_offsets offsets;
        struct spans s;

        for (int k = 0; k < ROWS; k++) {
            double shift = asked->shift ? asked->shift(y + k) : 0;

            offsets.x[k] = m[2] + m[0] * shift;
            offsets.y[k] = m[5] + m[3] * shift;
        }
        s = spans_of(all, asked->edges, &offsets, y);
        for (int k = 0; k < ROWS && y + k < asked->y1; k++) {
            w.inverse.m[2] = offsets.x[k];
            w.inverse.m[5] = offsets.y[k];
            inside_row(&w, &steps, &walk, asked->interpolation, &s, k, y + k, channels);
        }
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
    for (int y = y0; y < y1; y += ROWS) {
        struct ends shows = edges_ends(edges, shown(interpolation), y, out->width);
        struct ends whole =
            edges_ends(edges, interpolation == INTERPOLATION_NEAREST ? 0 : 0.5, y, out->width);

        for (int k = 0; k < ROWS && y + k < y1; k++) {
            unsigned char *to = plane_row(out, y + k);
            int first = shows.begin[k], last = shows.end[k];
            bool any = whole.begin[k] < whole.end[k];
            int begin = any ? whole.begin[k] : last, end = any ? whole.end[k] : last;

            fill_pixels(to, pixel, size, (size_t)first);
            fill_pixels(to + (size_t)last * size, pixel, size, (size_t)(out->width - last));
            for (int x = first; x < begin; x++)
                fill_part(out, edges, fill, x, y + k);
            for (int x = end; x < last; x++)
                fill_part(out, edges, fill, x, y + k);
        }
    }
}

void plane_fill_outside(struct plane *out, enum interpolation interpolation,
                        const struct edges *edges, const struct fill *fill, int y0, int y1)
{
    if (edges->n)
        fill_rows(out, interpolation, edges, fill, y0, y1);
}
