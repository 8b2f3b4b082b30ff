/* median: the median of squares of pixels: by sorting networks, by counting, or by histograms. */
#include "filters.h"
#include "median.h"
#include "samples.h"

#include <stdlib.h>
#include <string.h>

#define SAMPLE uint8_t
#define NAMED(x) x##_u8
#include "median_loops.h"
#undef SAMPLE
#undef NAMED
#define SAMPLE uint16_t
#define NAMED(x) x##_u16
#include "median_loops.h"

/* Up to here counting is faster than histograms. */
enum { COUNTED = 15 };

static void median_rows(const struct plane *in, struct plane *out, int k, struct pool *pool)
{
    struct mirror mirror = mirror_begin(in, k / 2, k / 2, pool);
    const void *row[COUNTED];
    size_t channels = (size_t)out->channels, n = (size_t)out->width * channels;
    void *line = memory_take(5 * (n + 4 * channels) * sizeof(uint16_t));

    for (int y = 0; y < out->height; y++) {
        mirror_rows(&mirror, y);
        for (int i = 0; i < k; i++)
            row[i] = mirror_row(&mirror, y - k / 2 + i);
        if (out->type == PIXEL_U8)
            median_row_u8(row, line, plane_row(out, y), k, channels, n);
        else
            median_row_u16(row, line, (uint16_t *)(void *)plane_row(out, y), k, channels, n);
    }
    free(line);
    mirror_end(&mirror, pool);
}

static void median_histograms(const struct plane *in, struct plane *out, int k, struct pool *pool)
{
    struct plane wide = plane_mirrored(in, k / 2, k / 2, pool);

    if (in->type == PIXEL_U8)
        median_columns(&wide, out, k);
    else
        median_sliding(&wide, out, k);
    pool_return(pool, &wide);
}

void plane_median(const struct plane *in, struct plane *out, int k, struct pool *pool)
{
    if (k == 1) {
        plane_copy(in, out);
        return;
    }
    if (k <= COUNTED)
        median_rows(in, out, k, pool);
    else
        median_histograms(in, out, k, pool);
    for (int y = 0; y < in->height; y++)
        row_copy_alpha(in, out, y);
}
