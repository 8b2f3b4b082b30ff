/* convolve_u8: symmetric convolution of bytes in 16-bit fixed point, first down the columns, then
 * along the rows. */
#include "pixels/samples.h"

#include <math.h>
#include <stdlib.h>

/* Sums have 2^SHIFT units per level, so that the sum of two bytes fits 16 bits, and so does the sum
 * of two sums. Each product is truncated, by half a unit on average, which the sum starts with. So
 * a result is off by at most half a unit per product. For LONGEST taps in both directions this is a
 * quarter of a level. */
enum { SHIFT = 7, LONGEST = 63 };

/* Half of a symmetric kernel, in units of 2^-16. The middle weight is halved, since the middle
 * sample is added to itself. Twice the sum is 2^16, so that flat colors do not change. */
struct half_kernel {
    int pairs; /* the middle, and the taps on one side */
    uint16_t weight[LONGEST / 2 + 1];
};

/* Returns false if the kernel is not symmetric, too long or negative. */
static bool halve(const float *weight, int n, struct half_kernel *k)
{
    int middle = n / 2, rest = 0x8000;

    if (n > LONGEST)
        return false;
    k->pairs = middle + 1;
    for (int i = 1; i <= middle; i++) {
        if (weight[middle - i] != weight[middle + i] || !(weight[middle + i] >= 0) ||
            weight[middle + i] > 0.5f)
            return false;
        k->weight[i] = (uint16_t)lrintf(weight[middle + i] * 0x1p16f);
        rest -= k->weight[i];
    }
    k->weight[0] = (uint16_t)rest;
    return rest >= 0 && fabsf((float)rest - weight[middle] * 0x1p15f) <= (float)n;
}

ALWAYS_INLINE uint16_t share(int sum, uint16_t weight)
{
    return (uint16_t)((uint32_t)(uint16_t)sum * weight >> 16);
}

/* Adds up to four pairs of rows of bytes to the sum. */
ALWAYS_INLINE void down(const uint8_t *const *row, const struct half_kernel *k, int first,
                        int count, bool begins, uint16_t *restrict sum, size_t at, size_t n)
{
    int pairs = k->pairs;
    const uint8_t *a[4], *b[4];
    uint16_t w[4];

    for (int i = 0; i < 4; i++) {
        int by = first + (i < count ? i : 0);

        a[i] = row[pairs - 1 - by] + at;
        b[i] = row[pairs - 1 + by] + at;
        w[i] = k->weight[by];
    }
    for (size_t i = 0; i < n; i++) {
        uint16_t s = (uint16_t)(begins ? pairs / 2 : sum[i]);

        s = (uint16_t)(s + share((a[0][i] + b[0][i]) << SHIFT, w[0]));
        if (count > 1)
            s = (uint16_t)(s + share((a[1][i] + b[1][i]) << SHIFT, w[1]));
        if (count > 2)
            s = (uint16_t)(s + share((a[2][i] + b[2][i]) << SHIFT, w[2]));
        if (count > 3)
            s = (uint16_t)(s + share((a[3][i] + b[3][i]) << SHIFT, w[3]));
        sum[i] = s;
    }
}

/* The same for adjacent sums, `step` apart. */
ALWAYS_INLINE void along(const uint16_t *middle, size_t step, const struct half_kernel *k,
                         int first, int count, bool begins, uint16_t *restrict sum, size_t n)
{
    int begin = k->pairs / 2 + (1 << SHIFT) / 2;
    const uint16_t *a[4], *b[4];
    uint16_t w[4];

    for (int i = 0; i < 4; i++) {
        size_t by = (size_t)(first + (i < count ? i : 0));

        a[i] = middle - by * step;
        b[i] = middle + by * step;
        w[i] = k->weight[by];
    }
    for (size_t i = 0; i < n; i++) {
        uint16_t s = begins ? (uint16_t)begin : sum[i];

        s = (uint16_t)(s + share(a[0][i] + b[0][i], w[0]));
        if (count > 1)
            s = (uint16_t)(s + share(a[1][i] + b[1][i], w[1]));
        if (count > 2)
            s = (uint16_t)(s + share(a[2][i] + b[2][i], w[2]));
        if (count > 3)
            s = (uint16_t)(s + share(a[3][i] + b[3][i], w[3]));
        sum[i] = s;
    }
}

ALWAYS_INLINE void down_up_to_four(const uint8_t *const *row, const struct half_kernel *k,
                                   int first, bool begins, uint16_t *sum, size_t at, size_t n)
{
    switch (k->pairs - first) {
    case 1:
        down(row, k, first, 1, begins, sum, at, n);
        break;
    case 2:
        down(row, k, first, 2, begins, sum, at, n);
        break;
    case 3:
        down(row, k, first, 3, begins, sum, at, n);
        break;
    default:
        down(row, k, first, 4, begins, sum, at, n);
    }
}

ALWAYS_INLINE void along_up_to_four(const uint16_t *middle, size_t step,
                                    const struct half_kernel *k, int first, bool begins,
                                    uint16_t *sum, size_t n)
{
    switch (k->pairs - first) {
    case 1:
        along(middle, step, k, first, 1, begins, sum, n);
        break;
    case 2:
        along(middle, step, k, first, 2, begins, sum, n);
        break;
    case 3:
        along(middle, step, k, first, 3, begins, sum, n);
        break;
    default:
        along(middle, step, k, first, 4, begins, sum, n);
    }
}

/* Rows are handled in pieces whose sums stay in the nearest cache. */
enum { PIECE = 1024 };

VARIANTS static void rows_down(const uint8_t *const *row, const struct half_kernel *k,
                               uint16_t *sum, size_t n)
{
    for (size_t at = 0, m; at < n; at += m) {
        m = n - at < PIECE ? n - at : PIECE;
        down_up_to_four(row, k, 0, true, sum + at, at, m);
        for (int first = 4; first < k->pairs; first += 4)
            down_up_to_four(row, k, first, false, sum + at, at, m);
    }
}

VARIANTS static void row_along(const uint16_t *middle, size_t step, const struct half_kernel *k,
                               uint8_t *restrict to, size_t n)
{
    uint16_t sum[PIECE];

    for (size_t at = 0, m; at < n; at += m) {
        m = n - at < PIECE ? n - at : PIECE;
        along_up_to_four(middle + at, step, k, 0, true, sum, m);
        for (int first = 4; first < k->pairs; first += 4)
            along_up_to_four(middle + at, step, k, first, false, sum, m);
        for (size_t i = 0; i < m; i++)
            to[at + i] = (uint8_t)(sum[i] >> SHIFT);
    }
}

bool convolve_bytes(const struct plane *in, struct plane *out, const float *x, int nx,
                    const float *y, int ny)
{
    size_t channels = (size_t)in->channels, n = (size_t)in->width * channels;
    struct half_kernel across, upright;
    const uint8_t *row[LONGEST];
    uint16_t *line, *middle;

    if (in->type != PIXEL_U8 || !halve(x, nx, &across) || !halve(y, ny, &upright))
        return false;
    line = memory_take((n + (size_t)nx * channels) * sizeof *line);
    middle = line + (size_t)(nx / 2) * channels;
    for (int v = 0; v < in->height; v++) {
        for (int i = 0; i < ny; i++)
            row[i] = plane_row(in, mirrored(v - ny / 2 + i, in->height));
        rows_down(row, &upright, middle, n);
        row_mirror(middle, channels * sizeof *middle, in->width, nx / 2);
        row_along(middle, channels, &across, plane_row(out, v), n);
        row_copy_alpha(in, out, v);
    }
    free(line);
    return true;
}
