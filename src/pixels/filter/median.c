/* median: medians of squares of pixels: by sorting networks, by counting, or by histograms. */
#include "pixels/filters.h"
#include "pixels/filter/median.h"
#include "pixels/samples.h"

#include <stdlib.h>
#include <string.h>

/* Bytes of a piece of a row, and of its sorted columns with their neighbors: whole cache lines. */
enum { CACHE_LINE = 64, MEDIAN_PIECE = 3072, MEDIAN_ROOM = MEDIAN_PIECE + 2 * CACHE_LINE };

#define SAMPLE uint8_t
#define NAMED(x) x##_u8
#include "pixels/filter/median_template.h"
#undef SAMPLE
#undef NAMED
#define SAMPLE uint16_t
#define NAMED(x) x##_u16
#include "pixels/filter/median_template.h"

/* Up to this side, counting is faster than histograms. */
enum { COUNTED = 15 };

/* For 3 x 3 and 5 x 5. At the ends of rows, sorted columns are mirrored, not pixels. */
static void median_sorted(const struct plane *in, struct plane *out, int k)
{
    enum { MAX_SIDE = 5 };
    size_t channels = (size_t)out->channels, n = (size_t)out->width * channels;
    char *taken = memory_take((size_t)k * MEDIAN_ROOM + CACHE_LINE);
    char *columns = taken + CACHE_LINE - (uintptr_t)taken % CACHE_LINE;
    void *first = columns + CACHE_LINE;
    const void *row[MAX_SIDE];

    for (int y = 0; y < out->height; y++) {
        for (int i = 0; i < k; i++)
            row[i] = plane_row(in, mirrored(y - k / 2 + i, in->height));
        if (out->type == PIXEL_U8)
            median_row_sorted_u8(row, first, plane_row(out, y), k, channels, n);
        else
            median_row_sorted_u16(row, first, (uint16_t *)(void *)plane_row(out, y), k, channels,
                                  n);
    }
    free(taken);
}

static void median_counted(const struct plane *in, struct plane *out, int k, struct pool *pool)
{
    struct mirror mirror = mirror_begin(in, k / 2, k / 2, pool);
    const void *row[COUNTED];
    size_t channels = (size_t)out->channels, n = (size_t)out->width * channels;

    for (int y = 0; y < out->height; y++) {
        mirror_rows(&mirror, y);
        for (int i = 0; i < k; i++)
            row[i] = mirror_row(&mirror, y - k / 2 + i);
        if (out->type == PIXEL_U8)
            squares_u8(row, plane_row(out, y), k, channels, n);
        else
            squares_u16(row, (uint16_t *)(void *)plane_row(out, y), k, channels, n);
    }
    mirror_end(&mirror, pool);
}

static void median_histograms(const struct plane *in, struct plane *out, int k, struct pool *pool)
{
    struct plane wide = plane_mirrored(in, k / 2, k / 2, pool);

    if (in->type == PIXEL_U8)
        median_columns(&wide, out, k);
    else
        median_moving(&wide, out, k);
    pool_return(pool, &wide);
}

void plane_median(const struct plane *in, struct plane *out, int k, struct pool *pool)
{
    if (k == 1) {
        plane_copy(in, out);
        return;
    }
    if (k <= 5)
        median_sorted(in, out, k);
    else if (k <= COUNTED)
        median_counted(in, out, k, pool);
    else
        median_histograms(in, out, k, pool);
    for (int y = 0; y < in->height; y++)
        row_copy_alpha(in, out, y);
}
