/* resize_axis: which source samples each output index of an axis takes, torchvision's float path
 * (its section 3b). */
#include "resize_axis.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

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

struct axis axis_make(const struct kernel *by, const struct stretch *s, int in,
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

void axis_drop(struct axis *a)
{
    free(a->first);
    free(a->weight);
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

int32_t resize_index(int k, int in, int out)
{
    float scale = (float)in / (float)out;
    int at = (int)floorf(((float)k + 0.5f) * scale);

    return at < in - 1 ? at : in - 1;
}
