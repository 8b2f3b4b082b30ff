/* sparse_convolve: convolution by a few pixels in any arrangement. */
#include "pixels/filters.h"
#include "pixels/samples.h"

#include <stdlib.h>

/* Rows that many taps read are converted to floats once, if they stay in the nearby cache: floats
 * take four times the room of bytes. Otherwise each tap converts them. */
enum { NEARBY = 256 * 1024 };

struct floats {
    float *ring; /* 2 ry + 1 rows; NULL: too many */
    size_t wide; /* samples per row */
    int made;    /* the next row to convert */
};

static struct floats floats_begin(const struct plane *in, int rx, int ry, int taps)
{
    size_t wide = ((size_t)in->width + 2 * (size_t)rx) * (size_t)in->channels;
    size_t rows = 2 * (size_t)ry + 1, bytes = rows * wide * sizeof(float);
    bool worth = in->type != PIXEL_F32 && bytes <= NEARBY && (size_t)taps > rows;

    return (struct floats){ .ring = worth ? memory_take(bytes) : NULL, .wide = wide, .made = -ry };
}

static float *floats_row(const struct floats *f, int v, int ry)
{
    return f->ring + (size_t)((v + ry) % (2 * ry + 1)) * f->wide;
}

void plane_convolve_taps(const struct plane *in, struct plane *out, const struct tap *tap, int n,
                         struct pool *pool)
{
    size_t channels = (size_t)in->channels, pixel = pixel_type_size(in->type) * channels;
    const void **row = memory_take((size_t)n * sizeof *row);
    float *weight = memory_take((size_t)n * sizeof *weight);
    struct mirror mirror;
    struct floats floats;
    int rx = 0, ry = 0;

    for (int i = 0; i < n; i++) {
        rx = abs(tap[i].x) > rx ? abs(tap[i].x) : rx;
        ry = abs(tap[i].y) > ry ? abs(tap[i].y) : ry;
        weight[i] = tap[i].weight;
    }
    mirror = mirror_begin(in, rx, ry, pool);
    floats = floats_begin(in, rx, ry, n);
    for (int y = 0; y < in->height; y++) {
        mirror_rows(&mirror, y);
        for (; floats.ring && floats.made <= y + ry; floats.made++)
            samples_weigh(&(const void *){ mirror_row(&mirror, floats.made) }, in->type,
                          &(float){ 1 }, 1, floats_row(&floats, floats.made, ry), PIXEL_F32,
                          floats.wide);
        for (int i = 0; i < n; i++)
            row[i] = floats.ring
                         ? (const void *)(floats_row(&floats, y + tap[i].y, ry) +
                                          (size_t)(rx + tap[i].x) * channels)
                         : mirror_row(&mirror, y + tap[i].y) + (size_t)(rx + tap[i].x) * pixel;
        samples_weigh(row, floats.ring ? PIXEL_F32 : in->type, weight, n, plane_row(out, y),
                      in->type, (size_t)in->width * channels);
        row_copy_alpha(in, out, y);
    }
    mirror_end(&mirror, pool);
    free(floats.ring);
    free(row);
    free(weight);
}
