/* morphology: the largest or smallest value under an elliptical kernel. */
#include "pixels/filters.h"
#include "pixels/samples.h"

#include "base/number.h"

#include <math.h>
#include <string.h>

/* Adds one kernel pixel to a row of results. */
VARIANTS
static void keep_larger_8(const uint8_t *restrict from, uint8_t *restrict to, size_t n)
{
    for (size_t i = 0; i < n; i++)
        to[i] = from[i] > to[i] ? from[i] : to[i];
}

VARIANTS
static void keep_smaller_8(const uint8_t *restrict from, uint8_t *restrict to, size_t n)
{
    for (size_t i = 0; i < n; i++)
        to[i] = from[i] < to[i] ? from[i] : to[i];
}

VARIANTS
static void keep_larger_16(const uint16_t *restrict from, uint16_t *restrict to, size_t n)
{
    for (size_t i = 0; i < n; i++)
        to[i] = from[i] > to[i] ? from[i] : to[i];
}

VARIANTS
static void keep_smaller_16(const uint16_t *restrict from, uint16_t *restrict to, size_t n)
{
    for (size_t i = 0; i < n; i++)
        to[i] = from[i] < to[i] ? from[i] : to[i];
}

static void keep(const struct plane *in, struct plane *out, size_t from, size_t to, int v, int y,
                 size_t n, bool larger)
{
    const unsigned char *source = plane_row(in, v);
    unsigned char *target = plane_row(out, y);

    if (in->type == PIXEL_U8)
        (larger ? keep_larger_8 : keep_smaller_8)(source + from, target + to, n);
    else
        (larger ? keep_larger_16 : keep_smaller_16)((const uint16_t *)source + from,
                                                    (uint16_t *)target + to, n);
}

/* Returns how far row i of an ellipse of this size extends to either side of its middle column. */
static int half_chord(int i, int width, int height)
{
    int middle = height / 2, dy = i - middle;
    double r = middle;

    return middle ? round_half_even(width / 2 * sqrt((r * r - dy * dy) / (r * r))) : width / 2;
}

void plane_morphology(const struct plane *in, struct plane *out, struct frame kernel, bool largest)
{
    size_t channels = (size_t)in->channels;
    int middle = kernel.width / 2;

    for (int y = 0; y < in->height; y++) {
        memset(plane_row(out, y), largest ? 0 : 255,
               (size_t)in->width * channels * pixel_type_size(in->type));
        for (int i = 0; i < kernel.height; i++) {
            int v = y + i - kernel.height / 2, half = half_chord(i, kernel.width, kernel.height);

            for (int k = middle - half; v >= 0 && v < in->height && k <= middle + half; k++) {
                int dx = k - middle, x0 = dx < 0 ? -dx : 0;
                int x1 = dx > 0 ? in->width - dx : in->width;

                if (k < kernel.width && x0 < x1)
                    keep(in, out, (size_t)(x0 + dx) * channels, (size_t)x0 * channels, v, y,
                         (size_t)(x1 - x0) * channels, largest);
            }
        }
        row_copy_alpha(in, out, y);
    }
}
