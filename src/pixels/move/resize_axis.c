/* resize_axis: the windows of all output indices of an axis, all of the same width. */
#include "pixels/move/resize_axis.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct axis axis_make(const struct kernel *by, const struct stretch *s, int in,
                      const struct extent *e)
{
    double *weight = memory_take(((size_t)in + 8) * sizeof *weight);
    struct axis a = { 1, memory_take((size_t)e->n * sizeof *a.first), NULL };

    for (int k = 0; k < e->n; k++) {
        int n = resize_window(by, s, e->first + k, in, weight, &a.first[k]);

        a.taps = n > a.taps ? n : a.taps;
    }
    a.weight = memory_take((size_t)e->n * (size_t)a.taps * sizeof *a.weight);
    memset(a.weight, 0, (size_t)e->n * (size_t)a.taps * sizeof *a.weight);
    for (int k = 0; k < e->n; k++) {
        int n = resize_window(by, s, e->first + k, in, weight, &a.first[k]), spare;

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

/* Sets the range of source samples that n output indices from `first` on read; *end is exclusive.
 * Windows move monotonically. */
static void axis_takes(const struct kernel *by, int in, int out, int first, int n, int *begin,
                       int *end)
{
    double *weight = memory_take(((size_t)in + 8) * sizeof *weight);
    struct stretch s = stretch_whole(in, out);
    int last;

    resize_window(by, &s, first, in, weight, begin);
    *end = resize_window(by, &s, first + n - 1, in, weight, &last);
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

struct stretch stretch_whole(int in, int out)
{
    return (struct stretch){ 0, (double)in / out };
}
