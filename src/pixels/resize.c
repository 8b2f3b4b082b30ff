/* resize: separable resampling of a whole plane, torchvision's float path (its section 3b). */
#include "samples.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What each output index of an axis takes: `taps` source samples from first[k] on, with the weights
 * from weight[k * taps] on. All windows are equally wide and lie inside;
 * spare weights are 0. `first` never goes back: row_across_down counts on it. */
struct axis {
    int taps;
    int32_t *first;
    float *weight;
};

static double tent(double x)
{
    return fabs(x) < 1 ? 1 - fabs(x) : 0;
}

static double cubic(double x, double a)
{
    x = fabs(x);
    if (x < 1)
        return ((a + 2) * x - (a + 3)) * x * x + 1;
    return x < 2 ? (((x - 5) * x + 8) * x - 4) * a : 0;
}

static double sinc(double x)
{
    x *= 3.14159265358979323846;
    return x == 0 ? 1 : sin(x) / x;
}

static double filter(enum interpolation interpolation, double x)
{
    switch (interpolation) {
    case INTERPOLATION_BICUBIC:
        return cubic(x, -0.5);
    case INTERPOLATION_LANCZOS:
        return fabs(x) < 3 ? sinc(x) * sinc(x / 3) : 0;
    default:
        return tent(x);
    }
}

/* One output index: up to `room` weights of the source samples from *first on; how many. */
static int window_filtered(enum interpolation interpolation, double scale, double centre,
                           bool widen, int in, double *weight, int *first)
{
    double wide = widen && scale > 1 ? scale : 1, sum = 0;
    double support = wide * (interpolation == INTERPOLATION_BICUBIC   ? 2
                             : interpolation == INTERPOLATION_LANCZOS ? 3
                                                                      : 1);
    int lo = (int)fmax(centre - support + 0.5, 0), hi = (int)fmin(centre + support + 0.5, in);

    for (int j = lo; j < hi; j++)
        sum += weight[j - lo] = filter(interpolation, (j - centre + 0.5) / wide);
    for (int j = lo; j < hi; j++)
        weight[j - lo] /= sum;
    *first = lo;
    return hi - lo;
}

/* Without antialias, bilinear and bicubic repeat the border instead of renormalising. */
static int window_repeated(enum interpolation interpolation, double centre, int in, double *weight,
                           int *first)
{
    double u = centre - 0.5;
    int half = interpolation == INTERPOLATION_BICUBIC ? 2 : 1, at, last;

    if (interpolation == INTERPOLATION_BILINEAR && u < 0)
        u = 0;
    at = (int)floor(u);
    *first = at - half + 1 > 0 ? at - half + 1 : 0;
    *first = *first < in ? *first : in - 1;
    last = at + half < in ? at + half : in - 1;
    last = last > *first ? last : *first;
    memset(weight, 0, (size_t)(last - *first + 1) * sizeof *weight);
    for (int j = at - half + 1; j <= at + half; j++) {
        int inside = j < *first ? *first : j > last ? last : j;

        weight[inside - *first] +=
            interpolation == INTERPOLATION_BICUBIC ? cubic(u - j, -0.75) : tent(u - j);
    }
    return last - *first + 1;
}

/* Means of `n` samples, in equal steps of what the output index k covers. */
static int window_aligned(const struct stretch *s, int k, int n, int in, double *weight, int *first)
{
    double begin = s->begin + s->scale * k - 0.5, step = s->scale / n;
    int last = (int)fmin(fmax(floor(begin + s->scale) + 1, 0), in - 1);

    *first = (int)fmin(fmax(floor(begin), 0), in - 1);
    memset(weight, 0, (size_t)(last - *first + 1) * sizeof *weight);
    for (int i = 0; i < n; i++) {
        double u = begin + (i + 0.5) * step, inside = fmin(fmax(u, 0), in - 1);
        int at = (int)inside;

        if (u < -1 || u > in)
            continue;
        weight[at - *first] += (1 - (inside - at)) / n;
        if (inside > at)
            weight[at + 1 - *first] += (inside - at) / n;
    }
    return last - *first + 1;
}

/* How an axis is sampled: by a filter, or, with `samples`, by means of so many. */
struct kernel {
    enum interpolation interpolation;
    bool antialias;
    int samples;
};

static int window(const struct kernel *by, const struct stretch *s, int k, int in, double *weight,
                  int *first)
{
    enum interpolation interpolation = by->interpolation;
    double centre = fmin(fmax(s->begin + s->scale * (k + 0.5), 0), in); /* the border goes on */

    if (by->samples)
        return window_aligned(s, k, by->samples, in, weight, first);
    /* every filter is 1 at 0 and 0 at all other integers */
    if (s->scale == 1 && s->begin == nearbyint(s->begin)) {
        *first = (int)fmin(fmax(k + s->begin, 0), in - 1);
        weight[0] = 1;
        return 1;
    }
    if (!by->antialias && interpolation != INTERPOLATION_LANCZOS)
        return window_repeated(interpolation, centre, in, weight, first);
    return window_filtered(interpolation, s->scale, centre, by->antialias, in, weight, first);
}

/* What of an axis is made, and what of the source is there: `n` output indices from `first` on, and
 * `have` source samples from number `begin` on. */
struct extent {
    int first, n, begin, have;
};

static struct axis axis_make(const struct kernel *by, const struct stretch *s, int in,
                             const struct extent *e)
{
    double *weight = memory_take(((size_t)in + 8) * sizeof *weight);
    struct axis a = { 1, memory_take((size_t)e->n * sizeof *a.first), NULL };

    for (int k = 0; k < e->n; k++) {
        int n = window(by, s, e->first + k, in, weight, &a.first[k]);

        a.taps = n > a.taps ? n : a.taps;
    }
    a.weight = memory_take((size_t)e->n * (size_t)a.taps * sizeof *a.weight);
    memset(a.weight, 0, (size_t)e->n * (size_t)a.taps * sizeof *a.weight);
    for (int k = 0; k < e->n; k++) {
        int n = window(by, s, e->first + k, in, weight, &a.first[k]), spare;

        a.first[k] -= e->begin;
        spare = a.first[k] + a.taps > e->have ? a.first[k] + a.taps - e->have : 0;
        a.first[k] -= spare;
        for (int j = 0; j < n; j++)
            a.weight[(size_t)k * (size_t)a.taps + (size_t)(j + spare)] = (float)weight[j];
    }
    free(weight);
    return a;
}

static void axis_drop(struct axis *a)
{
    free(a->first);
    free(a->weight);
}

/* A pixel of any number of channels is four floats; what is too much of them is read or written
 * over by the next, so lines have SPARE floats behind them. */
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

/* One channel: the taps of one pixel stand side by side. */
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

/* A resize in work. */
struct resizer {
    const struct plane *in;
    struct plane *out;
    struct axis x, y;
    size_t wide, n; /* samples in a source row and in an output row */
    float *line, *sum;
    float *ring; /* as many rows as an output row needs; NULL when rows go down first */
    int done;    /* source rows that have been in the ring */
    const void **row;
};

/* Sideways first: source rows are stretched once each, into the ring. Windows move down only, so a
 * row that left the ring is never asked for again. */
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

/* Downwards first: the long way, for which vectors are best, is then gone by the fewest rows. */
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

/* One axis of a resize: how it is sampled, of how many source samples, and what is made. */
struct side {
    const struct kernel *by;
    const struct stretch *stretch;
    int in;
    struct extent extent;
};

static struct resizer *begin(const struct plane *in, struct plane *out, const struct side *x,
                             const struct side *y)
{
    struct resizer *w = memory_take(sizeof *w);

    *w = (struct resizer){ .in = in,
                           .out = out,
                           .wide = (size_t)in->width * (size_t)in->channels,
                           .n = (size_t)out->width * (size_t)in->channels };
    w->x = axis_make(x->by, x->stretch, x->in, &x->extent);
    w->y = axis_make(y->by, y->stretch, y->in, &y->extent);
    w->line = memory_take((w->wide + SPARE) * sizeof *w->line);
    w->sum = memory_take((w->n + SPARE) * sizeof *w->sum);
    w->row = memory_take((size_t)w->y.taps * sizeof *w->row);
    if (y->stretch->scale <= 1)
        w->ring = memory_take((size_t)w->y.taps * (w->n + SPARE) * sizeof *w->ring);
    return w;
}

/* All of it, of a source that is there as a whole. */
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

/* The source samples of an axis that output indices take, the first of them and what is behind the
 * last one: windows of later indices neither begin nor end before those of earlier ones. */
static void axis_takes(const struct kernel *by, int in, int out, int first, int n, int *begin,
                       int *end)
{
    double *weight = memory_take(((size_t)in + 8) * sizeof *weight);
    struct stretch s = stretch_whole(in, out);
    int last;

    window(by, &s, first, in, weight, begin);
    *end = window(by, &s, first + n - 1, in, weight, &last);
    *end += last;
    free(weight);
}

struct rect resize_takes(const struct resize_part *part)
{
    const struct kernel kernel = { part->interpolation, part->antialias, 0 };
    int x0, x1, y0, y1;

    axis_takes(&kernel, part->in.width, part->whole.width, part->part.x, part->part.w, &x0, &x1);
    axis_takes(&kernel, part->in.height, part->whole.height, part->part.y, part->part.h, &y0, &y1);
    return (struct rect){ x0, y0, x1 - x0, y1 - y0 };
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
    for (int y = y0; y < y1; y++)
        if (w->ring)
            row_across_down(w, y);
        else
            row_down_across(w, y);
}

void resizer_end(struct resizer *w)
{
    free(w->line);
    free(w->sum);
    free(w->row);
    free(w->ring);
    axis_drop(&w->x);
    axis_drop(&w->y);
    free(w);
}

struct stretch stretch_whole(int in, int out)
{
    return (struct stretch){ 0, (double)in / out };
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

int32_t resize_index(int k, int in, int out)
{
    float scale = (float)in / (float)out;
    int at = (int)floorf(((float)k + 0.5f) * scale);

    return at < in - 1 ? at : in - 1;
}
