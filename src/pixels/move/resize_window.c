/* resize_window: the source samples and weights of an output index of a resize: torchvision's float
 * path (its section 3b), and the filters of Pillow and OpenCV. */
#include "pixels/move/resize_window.h"

#include <math.h>
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
    case INTERPOLATION_BOX:
        return x > -0.5 && x <= 0.5;
    case INTERPOLATION_HAMMING:
        return fabs(x) < 1 ? sinc(x) * (0.54 + 0.46 * cos(3.14159265358979323846 * x)) : 0;
    default:
        return tent(x);
    }
}

static double half_width(enum interpolation interpolation)
{
    switch (interpolation) {
    case INTERPOLATION_BICUBIC:
        return 2;
    case INTERPOLATION_LANCZOS:
        return 3;
    case INTERPOLATION_BOX:
        return 0.5;
    default:
        return 1;
    }
}

/* Sets up to `room` weights of the source samples from *first on, for one output index. Returns
 * their number. */
static int window_filtered(enum interpolation interpolation, double scale, double centre,
                           bool widen, int in, double *weight, int *first)
{
    double wide = widen && scale > 1 ? scale : 1, sum = 0;
    double support = wide * half_width(interpolation);
    int lo = (int)fmax(centre - support + 0.5, 0), hi = (int)fmin(centre + support + 0.5, in);

    lo = lo < in ? lo : in - 1;
    if (hi <= lo) { /* a box next to the border */
        *first = lo;
        weight[0] = 1;
        return 1;
    }
    for (int j = lo; j < hi; j++)
        sum += weight[j - lo] = filter(interpolation, (j - centre + 0.5) / wide);
    for (int j = lo; j < hi; j++)
        weight[j - lo] /= sum;
    *first = lo;
    return hi - lo;
}

/* Without antialias, bilinear and bicubic repeat the border instead of renormalizing. */
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

/* Sets the weights for the mean of `n` samples, in equal steps over output index k. */
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

/* OpenCV's INTER_AREA along one axis. If the axis does not grow, source pixels count by how much of
 * them output index k covers. Otherwise two count: the one in which k begins, and the next one by
 * the part of k after its end. OpenCV blends along both axes as soon as one grows. That skips
 * pixels along the other and moves the content by up to a pixel: labels would not follow. */
static int window_area(const struct stretch *s, int k, int in, double *weight, int *first)
{
    double begin = fmin(fmax(s->begin + s->scale * k, 0), in), end = begin + s->scale, beyond;
    int at = (int)fmin(floor(begin), in - 1), last = (int)fmin(ceil(end), in) - 1;

    *first = at;
    if (s->scale < 1) {
        beyond = fmax((end - (at + 1)) / s->scale, 0);
        beyond = at + 1 < in ? beyond - floor(beyond) : 0;
        weight[0] = 1 - beyond;
        weight[1] = beyond;
        return beyond > 0 ? 2 : 1;
    }
    last = last > at ? last : at;
    end = fmin(end, in);
    for (int j = at; j <= last; j++)
        weight[j - at] = end > begin ? (fmin(end, j + 1) - fmax(begin, j)) / (end - begin) : 1;
    return last - at + 1;
}

int resize_window(const struct kernel *by, const struct stretch *s, int k, int in, double *weight,
                  int *first)
{
    enum interpolation interpolation = by->interpolation;
    double centre = fmin(fmax(s->begin + s->scale * (k + 0.5), 0), in); /* the border is repeated */

    if (by->samples)
        return window_aligned(s, k, by->samples, in, weight, first);
    /* every filter is 1 at 0 and 0 at all other integers */
    if (s->scale == 1 && s->begin == nearbyint(s->begin)) {
        *first = (int)fmin(fmax(k + s->begin, 0), in - 1);
        weight[0] = 1;
        return 1;
    }
    if (interpolation == INTERPOLATION_AREA)
        return window_area(s, k, in, weight, first);
    if (!by->antialias &&
        (interpolation == INTERPOLATION_BILINEAR || interpolation == INTERPOLATION_BICUBIC))
        return window_repeated(interpolation, centre, in, weight, first);
    return window_filtered(interpolation, s->scale, centre, by->antialias, in, weight, first);
}
