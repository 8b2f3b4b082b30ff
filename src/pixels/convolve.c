/* convolve: a separable convolution, borders mirrored without repeating the edge. */
#include "samples.h"

#include <stdlib.h>
#include <string.h>

/* The index that i mirrors to in [0, n): ... 2 1 | 0 1 2 ... n-1 | n-2 ... */
static int mirror(int i, int n)
{
    int period = 2 * (n - 1);

    if (n == 1)
        return 0;
    i = i % period;
    if (i < 0)
        i += period;
    return i < n ? i : period - i;
}

struct work {
    const struct plane *in;
    int nx, ny;
    size_t n;      /* samples in a row */
    float *padded; /* a source row with nx / 2 mirrored pixels on either side */
    const float **row;
};

/* Row v, counted through the mirrors, convolved along x. */
static void convolve_row(const struct work *w, int v, const float *x, float *out)
{
    const struct plane *in = w->in;
    int half = w->nx / 2, bands = in->bands;
    float *middle = w->padded + (size_t)half * (size_t)bands;

    row_load(plane_row(in, mirror(v, in->height)), in->type, middle, w->n);
    for (int i = 1; i <= half; i++)
        for (int b = 0; b < bands; b++) {
            middle[-i * bands + b] = middle[mirror(-i, in->width) * bands + b];
            middle[(in->width - 1 + i) * bands + b] =
                middle[mirror(in->width - 1 + i, in->width) * bands + b];
        }
    for (int k = 0; k < w->nx; k++)
        w->row[k] = w->padded + (size_t)k * (size_t)bands;
    rows_weigh(w->row, x, w->nx, out, w->n);
}

static void copy_alpha(const struct plane *in, struct plane *out, int y)
{
    size_t size = pixel_type_size(in->type), pixel = size * (size_t)in->bands;
    const unsigned char *from = plane_row(in, y) + pixel - size;
    unsigned char *to = plane_row(out, y) + pixel - size;

    for (int x = 0; x < in->width; x++, from += pixel, to += pixel)
        memcpy(to, from, size);
}

void plane_convolve(const struct plane *in, struct plane *out, const float *x, int nx,
                    const float *y, int ny)
{
    struct work w = { .in = in, .nx = nx, .ny = ny };
    float *ring, *sum;

    w.n = (size_t)in->width * (size_t)in->bands;
    w.padded = memory_take(((size_t)in->width + (size_t)nx) * (size_t)in->bands * sizeof(float));
    w.row = memory_take((size_t)(nx > ny ? nx : ny) * sizeof *w.row);
    ring = memory_take((size_t)ny * w.n * sizeof *ring);
    sum = memory_take(w.n * sizeof *sum);
    for (int v = 0; v < ny - 1; v++)
        convolve_row(&w, v - ny / 2, x, ring + (size_t)v * w.n);
    for (int i = 0; i < in->height; i++) {
        int newest = i + ny - 1; /* ring rows are counted from -(ny / 2) */

        convolve_row(&w, newest - ny / 2, x, ring + (size_t)(newest % ny) * w.n);
        for (int k = 0; k < ny; k++)
            w.row[k] = ring + (size_t)((i + k) % ny) * w.n;
        rows_weigh(w.row, y, ny, sum, w.n);
        row_store(sum, in->type, plane_row(out, i), w.n);
        if (in->bands > plane_colours(in))
            copy_alpha(in, out, i);
    }
    free(w.padded);
    free(w.row);
    free(ring);
    free(sum);
}
