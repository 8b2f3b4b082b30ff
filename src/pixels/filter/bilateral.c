/* bilateral: weighted means of near pixels of similar color. */
#include "pixels/filters.h"
#include "pixels/samples.h"

#include "base/number.h"

#include <math.h>
#include <stdlib.h>

/* The pixels of a disc, and their weights by distance. */
struct disc_taps {
    struct tap *tap;
    int n;
};

static struct disc_taps disc_around(int radius, double sigma)
{
    struct disc_taps disc = { .tap = memory_take((size_t)(2 * radius + 1) *
                                                 (size_t)(2 * radius + 1) * sizeof(struct tap)) };

    for (int y = -radius; y <= radius; y++)
        for (int x = -radius; x <= radius; x++)
            if (x * x + y * y <= radius * radius)
                disc.tap[disc.n++] =
                    (struct tap){ x, y, (float)number_exp(-(x * x + y * y) / (2 * sigma * sigma)) };
    return disc;
}

/* Returns a table of the weight of each color difference, summed over the colors. */
static float *alikeness(enum pixel_type type, int colours, double sigma)
{
    size_t levels = (size_t)pixel_type_max(type) * (size_t)colours + 1;
    float *count = memory_take(levels * sizeof *count);
    double unit = pixel_type_unit(type) * sigma;

    for (size_t i = 0; i < levels; i++) {
        double v = (double)i / unit;

        count[i] = (float)number_exp(-v * v / 2);
    }
    return count;
}

ALWAYS_INLINE void bilateral_row(const struct mirror *mirror, struct plane *out, int y,
                                 const struct disc_taps *disc, const float *alike,
                                 enum pixel_type type, int colours)
{
    size_t channels = (size_t)out->channels;
    const unsigned char *own = mirror_row(mirror, y);

    for (int x = 0; x < out->width; x++) {
        size_t here = (size_t)(mirror->rx + x) * channels;
        float sum[3] = { 0 }, weights = 0;

        for (int i = 0; i < disc->n; i++) {
            const struct tap *t = &disc->tap[i];
            const unsigned char *row = mirror_row(mirror, y + t->y);
            size_t there = (size_t)(mirror->rx + x + t->x) * channels;
            int apart = 0;
            float weight;

            for (int c = 0; c < colours; c++)
                apart += abs(sample_level(row, type, there + (size_t)c) -
                             sample_level(own, type, here + (size_t)c));
            weight = t->weight * alike[apart];
            weights += weight;
            for (int c = 0; c < colours; c++)
                sum[c] += weight * sample_load(row, type, there + (size_t)c);
        }
        for (int c = 0; c < colours; c++)
            sample_store(plane_row(out, y), type, (size_t)x * channels + (size_t)c,
                         sum[c] / weights);
    }
}

static void make_row(const struct mirror *mirror, struct plane *out, int y,
                     const struct disc_taps *disc, const float *alike)
{
    bool colour = plane_colours(out) == 3;

    if (out->type == PIXEL_U8 && colour)
        bilateral_row(mirror, out, y, disc, alike, PIXEL_U8, 3);
    else if (out->type == PIXEL_U8)
        bilateral_row(mirror, out, y, disc, alike, PIXEL_U8, 1);
    else if (colour)
        bilateral_row(mirror, out, y, disc, alike, PIXEL_U16, 3);
    else
        bilateral_row(mirror, out, y, disc, alike, PIXEL_U16, 1);
}

void plane_bilateral(const struct plane *in, struct plane *out, int radius, double sigma_color,
                     double sigma_space, struct pool *pool)
{
    struct disc_taps disc = disc_around(radius, sigma_space);
    float *alike = alikeness(in->type, plane_colours(in), sigma_color);
    struct mirror mirror = mirror_begin(in, radius, radius, pool);

    for (int y = 0; y < in->height; y++) {
        mirror_rows(&mirror, y);
        make_row(&mirror, out, y, &disc, alike);
        row_copy_alpha(in, out, y);
    }
    mirror_end(&mirror, pool);
    free(alike);
    free(disc.tap);
}
