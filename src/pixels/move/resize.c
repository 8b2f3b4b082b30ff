/* resize: separable resampling of a whole plane, with rows as floats. */
#include "pixels/move/resize_axis.h"
#include "pixels/samples.h"

#include <stdlib.h>
#include <string.h>

/* A pixel of any number of channels is four floats. Surplus floats are read, or overwritten by the
 * next pixel, so lines have room for SPARE more floats. */
enum { SPARE = 4 };
typedef float four __attribute__((vector_size(16)));

ALWAYS_INLINE four four_load(const float *from)
{
    four v;

    memcpy(&v, from, sizeof v);
    return v;
}

ALWAYS_INLINE void across(const float *restrict in, float *restrict out, const struct axis *a,
                          int width, size_t channels, int taps)
{
    const float *w = a->weight;

    for (int x = 0; x < width; x++, out += channels, w += taps) {
        const float *from = in + (size_t)a->first[x] * channels;
        four sum = four_load(from) * w[0];

        for (int t = 1; t < taps; t++)
            sum += four_load(from + (size_t)t * channels) * w[t];
        memcpy(out, &sum, sizeof sum);
    }
}

/* For one channel, where the taps of a pixel are adjacent. */
ALWAYS_INLINE void across_one(const float *restrict in, float *restrict out, const struct axis *a,
                              int width, int taps)
{
    const float *w = a->weight;

    for (int x = 0; x < width; x++, w += taps) {
        const float *from = in + a->first[x];
        float sum = w[0] * from[0];

        for (int t = 1; t < taps; t++)
            sum += w[t] * from[t];
        out[x] = sum;
    }
}

ALWAYS_INLINE void across_channels(const float *in, float *out, const struct axis *a, int width,
                                   int channels, int taps)
{
    switch (channels) {
    case 1:
        across_one(in, out, a, width, taps);
        break;
    case 2:
        across(in, out, a, width, 2, taps);
        break;
    case 3:
        across(in, out, a, width, 3, taps);
        break;
    case 4:
        across(in, out, a, width, 4, taps);
        break;
    }
}

VARIANTS static void row_across(const float *in, float *out, const struct axis *a, int width,
                                int channels)
{
    switch (a->taps) {
    case 2:
        across_channels(in, out, a, width, channels, 2);
        break;
    case 3:
        across_channels(in, out, a, width, channels, 3);
        break;
    case 4:
        across_channels(in, out, a, width, channels, 4);
        break;
    default:
        across_channels(in, out, a, width, channels, a->taps);
    }
}

/* The state of a resize. */
struct resizer {
    struct resizer_bytes *bytes; /* does all the work, or NULL */
    const struct plane *in;
    struct plane *out;
    struct axis x, y;
    bool half;      /* all outputs are means of two by two, see resize_half_row */
    size_t wide, n; /* samples in a source row and in an output row */
    float *line, *sum;
    float *ring; /* as many rows as an output row needs; NULL if columns are resampled first */
    int done;    /* number of source rows put into the ring so far */
    const void **row;
};

/* Resamples along rows first: each source row is resampled once, into the ring. Windows only move
 * down, so a row that left the ring is not needed again. */
static void row_across_down(struct resizer *w, int y)
{
    size_t taps = (size_t)w->y.taps, n = w->n + SPARE;
    int first = w->y.first[y];

    for (w->done = w->done < first ? first : w->done; w->done < first + w->y.taps; w->done++) {
        const void *source = plane_row(w->in, w->done);

        samples_weigh(&source, w->in->type, &(float){ 1 }, 1, w->line, PIXEL_F32, w->wide);
        row_across(w->line, w->ring + (size_t)w->done % taps * n, &w->x, w->out->width,
                   w->in->channels);
    }
    for (size_t t = 0; t < taps; t++)
        w->row[t] = w->ring + ((size_t)first + t) % taps * n;
    samples_weigh(w->row, PIXEL_F32, w->y.weight + (size_t)y * taps, w->y.taps,
                  plane_row(w->out, y), w->in->type, w->n);
}

/* Resamples down the columns first, so that the fewest rows remain for the pass along rows. Vectors
 * are best at going down. */
static void row_down_across(struct resizer *w, int y)
{
    size_t taps = (size_t)w->y.taps;
    const void *sum = w->sum;

    for (size_t t = 0; t < taps; t++)
        w->row[t] = plane_row(w->in, w->y.first[y] + (int)t);
    samples_weigh(w->row, w->in->type, w->y.weight + (size_t)y * taps, w->y.taps, w->line,
                  PIXEL_F32, w->wide);
    row_across(w->line, w->sum, &w->x, w->out->width, w->in->channels);
    samples_weigh(&sum, PIXEL_F32, &(float){ 1 }, 1, plane_row(w->out, y), w->in->type, w->n);
}

static struct resizer *begin(const struct plane *in, struct plane *out, const struct side *x,
                             const struct side *y)
{
    struct resizer *w = memory_take(sizeof *w);

    *w = (struct resizer){ .bytes = resizer_bytes_begin(in, out, x, y) };
    if (w->bytes)
        return w;
    *w = (struct resizer){ .in = in,
                           .out = out,
                           .wide = (size_t)in->width * (size_t)in->channels,
                           .n = (size_t)out->width * (size_t)in->channels };
    w->x = axis_make(x->by, x->stretch, x->in, &x->extent);
    w->y = axis_make(y->by, y->stretch, y->in, &y->extent);
    w->half = resize_is_half(in->type, &w->x, out->width, &w->y, out->height);
    w->line = memory_take((w->wide + SPARE) * sizeof *w->line);
    w->sum = memory_take((w->n + SPARE) * sizeof *w->sum);
    w->row = memory_take((size_t)w->y.taps * sizeof *w->row);
    if (y->stretch->scale <= 1)
        w->ring = memory_take((size_t)w->y.taps * (w->n + SPARE) * sizeof *w->ring);
    return w;
}

/* Returns the side of a whole resize, with the whole source present. */
static struct side side_whole(const struct kernel *by, const struct stretch *stretch, int in,
                              int out)
{
    return (struct side){ by, stretch, in, { 0, out, 0, in } };
}

struct resizer *resizer_begin(const struct plane *in, struct plane *out,
                              enum interpolation interpolation, bool antialias,
                              const struct stretch *x, const struct stretch *y)
{
    const struct kernel kernel = { interpolation, antialias, 0 };
    const struct side across = side_whole(&kernel, x, in->width, out->width);
    const struct side down = side_whole(&kernel, y, in->height, out->height);

    return begin(in, out, &across, &down);
}

struct resizer *resizer_begin_part(const struct resize_part *part, const struct plane *in, int left,
                                   int top, struct plane *out)
{
    const struct kernel kernel = { part->interpolation, part->antialias, 0 };
    struct stretch x = stretch_whole(part->in.width, part->whole.width);
    struct stretch y = stretch_whole(part->in.height, part->whole.height);
    const struct side across = {
        &kernel, &x, part->in.width, { part->part.x, part->part.w, left, in->width }
    };
    const struct side down = {
        &kernel, &y, part->in.height, { part->part.y, part->part.h, top, in->height }
    };

    return begin(in, out, &across, &down);
}

struct resizer *resizer_begin_align(const struct plane *in, struct plane *out,
                                    const struct stretch *x, const struct stretch *y, int across,
                                    int down)
{
    const struct kernel means_across = { .samples = across }, means_down = { .samples = down };
    const struct side by_row = side_whole(&means_across, x, in->width, out->width);
    const struct side by_column = side_whole(&means_down, y, in->height, out->height);

    return begin(in, out, &by_row, &by_column);
}

void resizer_rows(struct resizer *w, int y0, int y1)
{
    if (w->bytes) {
        resizer_bytes_rows(w->bytes, y0, y1);
        return;
    }
    for (int y = y0; y < y1; y++)
        if (w->half)
            resize_half_row(w->in, w->x.first[0], w->y.first[y], w->out, y);
        else if (w->ring)
            row_across_down(w, y);
        else
            row_down_across(w, y);
}

void resizer_end(struct resizer *w)
{
    if (w->bytes) {
        resizer_bytes_end(w->bytes);
        free(w);
        return;
    }
    free(w->line);
    free(w->sum);
    free(w->row);
    free(w->ring);
    axis_drop(&w->x);
    axis_drop(&w->y);
    free(w);
}

void plane_resize(const struct plane *in, struct plane *out, enum interpolation interpolation,
                  bool antialias)
{
    struct stretch x = stretch_whole(in->width, out->width),
                   y = stretch_whole(in->height, out->height);
    struct resizer *w = resizer_begin(in, out, interpolation, antialias, &x, &y);

    resizer_rows(w, 0, out->height);
    resizer_end(w);
}

void plane_halve(const struct plane *in, struct plane *out)
{
    if (!resize_can_halve(in->type)) {
        plane_resize(in, out, INTERPOLATION_BILINEAR, false);
        return;
    }
    for (int y = 0; y < out->height; y++)
        resize_half_row(in, 0, 2 * y, out, y);
}
