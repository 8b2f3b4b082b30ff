/* taps: convolution by few pixels, of any shape. */
#include "filters.h"
#include "samples.h"

#include <stdlib.h>

void plane_convolve_taps(const struct plane *in, struct plane *out, const struct tap *tap, int n,
                         struct pool *pool)
{
    size_t pixel = pixel_type_size(in->type) * (size_t)in->channels;
    const void **row = memory_take((size_t)n * sizeof *row);
    float *weight = memory_take((size_t)n * sizeof *weight);
    struct mirror mirror;
    int rx = 0, ry = 0;

    for (int i = 0; i < n; i++) {
        rx = abs(tap[i].x) > rx ? abs(tap[i].x) : rx;
        ry = abs(tap[i].y) > ry ? abs(tap[i].y) : ry;
        weight[i] = tap[i].weight;
    }
    mirror = mirror_begin(in, rx, ry, pool);
    for (int y = 0; y < in->height; y++) {
        mirror_rows(&mirror, y);
        for (int i = 0; i < n; i++)
            row[i] = mirror_row(&mirror, y + tap[i].y) + (size_t)(rx + tap[i].x) * pixel;
        samples_weigh(row, in->type, weight, n, plane_row(out, y), in->type,
                      (size_t)in->width * (size_t)in->channels);
        row_copy_alpha(in, out, y);
    }
    mirror_end(&mirror, pool);
    free(row);
    free(weight);
}
