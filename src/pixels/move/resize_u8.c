/* resize_u8: resamples bytes by nonnegative weights, in 16-bit fixed point. */
#include "pixels/move/resize_row_u8.h"
#include "pixels/samples.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Down the columns, each product is truncated, by half a unit of 2^-SCALE level on average, which
 * the sum starts with. So a sum is off by at most half a unit per tap. With at most 2 *
 * WIDEST_SCALE + 1 taps, this is an eighth of a level. Along a row (resize_row_u8.c), sums have 32
 * bits and are rounded once. */
enum { WIDEST_SCALE = 16, PART = 1024 };
/* Samples of an output row that are made for all rows before the next ones are. Then their weights
 * and the intermediate rows stay in the first cache. The number is whole lanes for 1 to 4 channels.
 */
enum { TILE = 12 * 13 * LANES };

/* Converts weights to shares that sum to `one`; the largest gets the rounding error. */
static void shares(const float *weight, int n, int one, uint16_t *to)
{
    int rest = one, largest = 0;

    for (int t = 0; t < n; t++) {
        to[t] = (uint16_t)lrintf(weight[t] * (float)one);
        rest -= to[t];
        largest = weight[t] > weight[largest] ? t : largest;
    }
    to[largest] = (uint16_t)(to[largest] + rest);
}

/* Returns what truncating the products takes from their sum, on average. */
static uint16_t cut_off(const uint16_t *weight, int n)
{
    int inexact = 0;

    for (int t = 0; t < n; t++)
        inexact += weight[t] % 256 != 0;
    return (uint16_t)(inexact / 2);
}

ALWAYS_INLINE uint16_t product(uint16_t sum, uint16_t weight)
{
    return (uint16_t)((uint32_t)sum * weight >> 16);
}

/* Loads a sample on twice the scale of sums. In a word, since compilers make 32-bit products
 * otherwise. */
ALWAYS_INLINE uint16_t load(const void *row, bool bytes, size_t i)
{
    uint16_t word;

    if (bytes)
        return (uint16_t)(((const uint8_t *)row)[i] << (SCALE + 1));
    word = ((const uint16_t *)row)[i];
    return (uint16_t)(word + word);
}

/* Adds up to four rows to the sum, n samples from `at` on. */
ALWAYS_INLINE void add_rows(const void *const *row, bool bytes, const uint16_t *weight, int count,
                            int begin, uint16_t *restrict sum, size_t at, size_t n)
{
    const void *r[4];
    uint16_t w[4];

    for (int k = 0; k < 4; k++) {
        r[k] = row[k < count ? k : 0];
        w[k] = weight[k < count ? k : 0];
    }
    for (size_t i = 0; i < n; i++) {
        uint16_t s = begin < 0 ? sum[i] : (uint16_t)begin;

        s = (uint16_t)(s + product(load(r[0], bytes, at + i), w[0]));
        if (count > 1)
            s = (uint16_t)(s + product(load(r[1], bytes, at + i), w[1]));
        if (count > 2)
            s = (uint16_t)(s + product(load(r[2], bytes, at + i), w[2]));
        if (count > 3)
            s = (uint16_t)(s + product(load(r[3], bytes, at + i), w[3]));
        sum[i] = s;
    }
}

ALWAYS_INLINE void add_up_to_four(const void *const *row, bool bytes, const uint16_t *weight,
                                  int count, int begin, uint16_t *sum, size_t at, size_t n)
{
    switch (count) {
    case 1:
        add_rows(row, bytes, weight, 1, begin, sum, at, n);
        break;
    case 2:
        add_rows(row, bytes, weight, 2, begin, sum, at, n);
        break;
    case 3:
        add_rows(row, bytes, weight, 3, begin, sum, at, n);
        break;
    default:
        add_rows(row, bytes, weight, 4, begin, sum, at, n);
    }
}

ALWAYS_INLINE void add_all(const void *const *row, bool bytes, const uint16_t *weight, int count,
                           uint16_t *sum, size_t at, size_t n)
{
    add_up_to_four(row, bytes, weight, count, cut_off(weight, count), sum, at, n);
    for (int k = 4; k < count; k += 4)
        add_up_to_four(row + k, bytes, weight + k, count - k, -1, sum, at, n);
}

/* Sums rows of bytes to a line; or rows of the ring to bytes. */
VARIANTS static void bytes_down(const void *const *row, const uint16_t *weight, int count,
                                uint16_t *line, size_t n)
{
    for (size_t at = 0; at < n; at += PART)
        add_all(row, true, weight, count, line + at, at, n - at < PART ? n - at : PART);
}

VARIANTS static void ring_down(const void *const *row, const uint16_t *weight, int count,
                               uint8_t *restrict to, size_t n)
{
    uint16_t sum[PART];

    for (size_t at = 0, m; at < n; at += m) {
        m = n - at < PART ? n - at : PART;
        add_all(row, false, weight, count, sum, at, m);
        for (size_t i = 0; i < m; i++)
            to[at + i] = (uint8_t)((sum[i] + (1 << SCALE) / 2) >> SCALE);
    }
}

VARIANTS static void widen(const uint8_t *restrict from, uint16_t *restrict to, size_t n)
{
    for (size_t i = 0; i < n; i++)
        to[i] = from[i];
}

/* Resamples along the rows first, into the ring, or down the columns first, as resize.c does for
 * floats. */
static void bytes_across_down(struct resizer_bytes *w, int y)
{
    size_t taps = (size_t)w->y.taps, n = w->n + LANES;
    int first = w->y.first[y];

    for (w->done = w->done < first ? first : w->done; w->done < first + w->y.taps; w->done++) {
        widen(plane_row(w->in, w->done) + w->left, w->line + w->left, w->wide);
        resize_along(w, w->line, w->ring + (size_t)w->done % taps * n, false);
    }
    for (size_t t = 0; t < taps; t++)
        w->row[t] = w->ring + ((size_t)first + t) % taps * n;
    ring_down(w->row, w->down + (size_t)y * taps, w->y.taps, plane_row(w->out, y), w->n);
}

/* Returns the columns of a tile; `before` columns are before the first. */
static struct resizer_bytes tile_of(const struct resizer_bytes *w, struct plane *columns,
                                    int before)
{
    size_t channels = (size_t)w->in->channels, at = (size_t)before * channels;
    size_t last = (size_t)w->x.first[before + columns->width - 1] + 2 * (size_t)w->pairs;
    struct resizer_bytes tile = *w;

    tile.out = columns;
    tile.x.first += before;
    tile.n = (size_t)columns->width * channels;
    tile.left = (size_t)tile.x.first[0] * channels;
    tile.wide = (last * channels < w->wide ? last * channels : w->wide) - tile.left;
    tile.along += (size_t)before * (size_t)w->pairs * 2;
    tile.ring += at / TILE * (TILE + LANES) * (size_t)w->y.taps;
    if (w->lanes) {
        tile.lanes += at / LANES;
        tile.weights += at * (size_t)w->pairs * 2;
    }
    return tile;
}

/* Makes rows from y0 up to y1, so many columns at a time that their data stays near. */
static void tiles_across_down(struct resizer_bytes *w, int y0, int y1)
{
    int max_columns = TILE / w->in->channels, done = w->done;

    for (int x = 0; x < w->out->width; x += max_columns) {
        int width = w->out->width - x < max_columns ? w->out->width - x : max_columns;
        struct plane columns = plane_part(w->out, x, 0, width, w->out->height);
        struct resizer_bytes tile = tile_of(w, &columns, x);

        for (int y = y0; y < y1; y++)
            bytes_across_down(&tile, y);
        done = tile.done;
    }
    w->done = done;
}

static void bytes_down_across(struct resizer_bytes *w, int y)
{
    size_t taps = (size_t)w->y.taps;

    for (size_t t = 0; t < taps; t++)
        w->row[t] = plane_row(w->in, w->y.first[y] + (int)t);
    bytes_down(w->row, w->down + (size_t)y * taps, w->y.taps, w->line, w->wide);
    resize_along(w, w->line, plane_row(w->out, y), true);
}

struct resizer_bytes *resizer_bytes_begin(const struct plane *in, struct plane *out,
                                          const struct side *x, const struct side *y)
{
    struct resizer_bytes *w;
    size_t behind;

    if (in->type != PIXEL_U8 || x->by->samples || y->by->samples ||
        x->by->interpolation != INTERPOLATION_BILINEAR ||
        fmax(x->stretch->scale, y->stretch->scale) > WIDEST_SCALE)
        return NULL;
    w = memory_take(sizeof *w);
    *w = (struct resizer_bytes){ .in = in,
                                 .out = out,
                                 .wide = (size_t)in->width * (size_t)in->channels,
                                 .n = (size_t)out->width * (size_t)in->channels };
    w->x = axis_make(x->by, x->stretch, x->in, &x->extent);
    w->y = axis_make(y->by, y->stretch, y->in, &y->extent);
    w->half = resize_is_half(PIXEL_U8, &w->x, out->width, &w->y, out->height);
    w->pairs = (w->x.taps + 1) / 2;
    w->along = memory_take((size_t)out->width * (size_t)w->pairs * 2 * sizeof *w->along);
    w->down = memory_take((size_t)out->height * (size_t)w->y.taps * sizeof *w->down);
    for (int k = 0; k < out->width; k++) {
        uint16_t *to = w->along + (size_t)k * (size_t)w->pairs * 2;

        to[w->pairs * 2 - 1] = 0;
        shares(w->x.weight + (size_t)k * (size_t)w->x.taps, w->x.taps, 1 << ALONG, to);
    }
    for (int k = 0; k < out->height; k++)
        shares(w->y.weight + (size_t)k * (size_t)w->y.taps, w->y.taps, 1 << 15,
               w->down + (size_t)k * (size_t)w->y.taps);
    behind = BEHIND + 2 * (size_t)w->pairs * (size_t)in->channels;
    w->line = memory_take((w->wide + behind) * sizeof *w->line);
    memset(w->line + w->wide, 0, behind * sizeof *w->line);
    w->row = memory_take((size_t)w->y.taps * sizeof *w->row);
    if (y->stretch->scale <= 1)
        w->ring =
            memory_take((w->n / TILE + 1) * (TILE + LANES) * (size_t)w->y.taps * sizeof *w->ring);
    if (!w->half)
        resize_along_begin(w);
    return w;
}

void resizer_bytes_rows(struct resizer_bytes *w, int y0, int y1)
{
    if (w->ring && !w->half) {
        tiles_across_down(w, y0, y1);
        return;
    }
    for (int y = y0; y < y1; y++)
        if (w->half)
            resize_half_row(w->in, w->x.first[0], w->y.first[y], w->out, y);
        else
            bytes_down_across(w, y);
}

void resizer_bytes_end(struct resizer_bytes *w)
{
    free(w->along);
    free(w->down);
    free(w->line);
    free(w->row);
    free(w->ring);
    free(w->lanes);
    free(w->weights);
    axis_drop(&w->x);
    axis_drop(&w->y);
    free(w);
}
