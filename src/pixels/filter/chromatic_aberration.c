/* chromatic_aberration: distorts red and blue, each by its own lens. */
#include "pixels/filters.h"
#include "pixels/samples.h"

#include <math.h>

/* An index, the next one and the share of the next one; both are on the plane. */
struct pixel_pair {
    int at, next;
    float share;
};

static struct pixel_pair pixel_pair(double v, int n)
{
    double held = v > 0 ? v < n - 1 ? v : n - 1 : 0;
    int at = (int)held;

    return (struct pixel_pair){ at, at + 1 < n ? at + 1 : at, (float)(held - at) };
}

ALWAYS_INLINE float blended(const void *row, enum pixel_type type, size_t left, size_t right,
                            float share)
{
    float a = sample_load(row, type, left);

    return a + (sample_load(row, type, right) - a) * share;
}

/* Writes one channel of row y. Positions are relative to the center, in units of the sides. */
ALWAYS_INLINE void refract_row(const struct plane *in, struct plane *out, int y, int channel,
                               const struct lens_channel *lens, enum interpolation interpolation,
                               enum pixel_type type)
{
    size_t channels = (size_t)in->channels, c = (size_t)channel;
    double v = (y + 0.5) / in->height - 0.5;

    for (int x = 0; x < in->width; x++) {
        double u = (x + 0.5) / in->width - 0.5, r2 = u * u + v * v;
        double factor = 1 + lens->k1 * r2 + lens->k2 * r2 * r2;
        struct pixel_pair column = pixel_pair((u * factor + 0.5) * in->width - 0.5, in->width);
        struct pixel_pair row = pixel_pair((v * factor + 0.5) * in->height - 0.5, in->height);
        size_t left = (size_t)column.at * channels + c, right = (size_t)column.next * channels + c;
        const void *above = plane_row(in, row.at), *below = plane_row(in, row.next);
        float top, bottom;

        if (interpolation == INTERPOLATION_NEAREST) {
            column.share = column.share < 0.5f ? 0.f : 1.f;
            row.share = row.share < 0.5f ? 0.f : 1.f;
        }
        top = blended(above, type, left, right, column.share);
        bottom = blended(below, type, left, right, column.share);
        sample_store(plane_row(out, y), type, (size_t)x * channels + c,
                     top + (bottom - top) * row.share);
    }
}

VARIANTS
static void refract_8(const struct plane *in, struct plane *out, int channel,
                      const struct lens_channel *lens, enum interpolation interpolation)
{
    for (int y = 0; y < in->height; y++)
        refract_row(in, out, y, channel, lens, interpolation, PIXEL_U8);
}

VARIANTS
static void refract_16(const struct plane *in, struct plane *out, int channel,
                       const struct lens_channel *lens, enum interpolation interpolation)
{
    for (int y = 0; y < in->height; y++)
        refract_row(in, out, y, channel, lens, interpolation, PIXEL_U16);
}

void plane_aberration(const struct plane *in, struct plane *out, const struct lens_channel *red,
                      const struct lens_channel *blue, enum interpolation interpolation)
{
    plane_copy(in, out);
    for (int channel = 0; channel <= 2; channel += 2)
        (in->type == PIXEL_U8 ? refract_8 : refract_16)(in, out, channel, channel ? blue : red,
                                                        interpolation);
}
