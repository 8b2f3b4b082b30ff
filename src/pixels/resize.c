/* resize: separable resampling of a whole plane, torchvision's float path (its section 3b). */
#include "samples.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What each output index of an axis takes: `taps` source samples from first[k] on, with the weights
 * from weight[k * taps] on. All windows are equally wide and lie inside;
 * spare weights are 0. `first` never goes back: resize_rows counts on it. */
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

static double filter(enum taps taps, double x)
{
    switch (taps) {
    case TAPS_BICUBIC:
        return cubic(x, -0.5);
    case TAPS_LANCZOS:
        return fabs(x) < 3 ? sinc(x) * sinc(x / 3) : 0;
    default:
        return tent(x);
    }
}

/* One output index: up to `room` weights of the source samples from *first on; how many. */
static int window_filtered(enum taps taps, double scale, bool widen, int k, int in, double *weight,
                           int *first)
{
    double wide = widen && scale > 1 ? scale : 1, centre = scale * (k + 0.5), sum = 0;
    double support = wide * (taps == TAPS_BICUBIC ? 2 : taps == TAPS_LANCZOS ? 3 : 1);
    int lo = (int)fmax(centre - support + 0.5, 0), hi = (int)fmin(centre + support + 0.5, in);

    for (int j = lo; j < hi; j++)
        sum += weight[j - lo] = filter(taps, (j - centre + 0.5) / wide);
    for (int j = lo; j < hi; j++)
        weight[j - lo] /= sum;
    *first = lo;
    return hi - lo;
}

/* Without antialias, bilinear and bicubic repeat the border instead of renormalising. */
static int window_repeated(enum taps taps, double scale, int k, int in, double *weight, int *first)
{
    double u = scale * (k + 0.5) - 0.5;
    int half = taps == TAPS_BICUBIC ? 2 : 1, at, last;

    if (taps == TAPS_BILINEAR && u < 0)
        u = 0;
    at = (int)floor(u);
    *first = at - half + 1 > 0 ? at - half + 1 : 0;
    *first = *first < in ? *first : in - 1;
    last = at + half < in ? at + half : in - 1;
    last = last > *first ? last : *first;
    memset(weight, 0, (size_t)(last - *first + 1) * sizeof *weight);
    for (int j = at - half + 1; j <= at + half; j++) {
        int inside = j < *first ? *first : j > last ? last : j;

        weight[inside - *first] += taps == TAPS_BICUBIC ? cubic(u - j, -0.75) : tent(u - j);
    }
    return last - *first + 1;
}

static int window(enum taps taps, bool antialias, int k, int in, int out, double *weight,
                  int *first)
{
    double scale = (double)in / out;

    if (in == out) { /* every filter is 1 at 0 and 0 at all other whole numbers */
        *first = k;
        weight[0] = 1;
        return 1;
    }
    if (!antialias && taps != TAPS_LANCZOS)
        return window_repeated(taps, scale, k, in, weight, first);
    return window_filtered(taps, scale, antialias, k, in, weight, first);
}

static struct axis axis_make(enum taps taps, bool antialias, int in, int out)
{
    double *weight = memory_take(((size_t)in + 8) * sizeof *weight);
    struct axis a = { 1, memory_take((size_t)out * sizeof *a.first), NULL };

    for (int k = 0; k < out; k++) {
        int n = window(taps, antialias, k, in, out, weight, &a.first[k]);

        a.taps = n > a.taps ? n : a.taps;
    }
    a.weight = memory_take((size_t)out * (size_t)a.taps * sizeof *a.weight);
    memset(a.weight, 0, (size_t)out * (size_t)a.taps * sizeof *a.weight);
    for (int k = 0; k < out; k++) {
        int n = window(taps, antialias, k, in, out, weight, &a.first[k]);
        int spare = a.first[k] + a.taps > in ? a.first[k] + a.taps - in : 0;

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

ALWAYS_INLINE void across(const float *restrict in, float *restrict out, const struct axis *a,
                          int width, size_t bands, int taps)
{
    const float *w = a->weight;

    for (int x = 0; x < width; x++, out += bands, w += taps) {
        const float *from = in + (size_t)a->first[x] * bands;
        float sum[4] = { 0 };

        for (int t = 0; t < taps; t++, from += bands)
            for (size_t b = 0; b < bands; b++)
                sum[b] += w[t] * from[b];
        for (size_t b = 0; b < bands; b++)
            out[b] = sum[b];
    }
}

ALWAYS_INLINE void across_taps(const float *in, float *out, const struct axis *a, int width,
                               size_t bands)
{
    switch (a->taps) {
    case 1:
        across(in, out, a, width, bands, 1);
        break;
    case 2:
        across(in, out, a, width, bands, 2);
        break;
    case 4:
        across(in, out, a, width, bands, 4);
        break;
    default:
        across(in, out, a, width, bands, a->taps);
    }
}

static void resize_row(const float *in, float *out, const struct axis *a, int width, int bands)
{
    switch (bands) {
    case 1:
        across_taps(in, out, a, width, 1);
        break;
    case 2:
        across_taps(in, out, a, width, 2);
        break;
    case 3:
        across_taps(in, out, a, width, 3);
        break;
    case 4:
        across_taps(in, out, a, width, 4);
        break;
    }
}

/* Source rows are shrunk or stretched sideways once each, into a ring of as many as one output row
 * needs; windows move down only, so a row that left the ring is never asked for again. */
static void resize_rows(const struct plane *in, struct plane *out, const struct axis *ax,
                        const struct axis *ay)
{
    size_t wide = (size_t)in->width * (size_t)in->bands, n = (size_t)out->width * (size_t)in->bands;
    size_t ring_rows = (size_t)ay->taps;
    float *ring = memory_take(ring_rows * n * sizeof *ring);
    float *line = memory_take(wide * sizeof *line), *sum = memory_take(n * sizeof *sum);
    const float **row = memory_take(ring_rows * sizeof *row);
    int done = 0;

    for (int y = 0; y < out->height; y++) {
        int first = ay->first[y];

        for (done = done < first ? first : done; done < first + ay->taps; done++) {
            row_load(plane_row(in, done), in->type, line, wide);
            resize_row(line, ring + (size_t)done % ring_rows * n, ax, out->width, in->bands);
        }
        for (size_t t = 0; t < ring_rows; t++)
            row[t] = ring + ((size_t)first + t) % ring_rows * n;
        rows_weigh(row, ay->weight + (size_t)y * ring_rows, ay->taps, sum, n);
        row_store(sum, in->type, plane_row(out, y), n);
    }
    free(ring);
    free(line);
    free(sum);
    free(row);
}

void plane_resize(const struct plane *in, struct plane *out, enum taps taps, bool antialias)
{
    struct axis ax = axis_make(taps, antialias, in->width, out->width);
    struct axis ay = axis_make(taps, antialias, in->height, out->height);

    resize_rows(in, out, &ax, &ay);
    axis_drop(&ax);
    axis_drop(&ay);
}

int32_t resize_index(int k, int in, int out)
{
    float scale = (float)in / (float)out;
    int at = (int)floorf(((float)k + 0.5f) * scale);

    return at < in - 1 ? at : in - 1;
}
