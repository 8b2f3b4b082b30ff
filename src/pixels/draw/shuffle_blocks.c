/* shuffle_blocks: pixels exchanged at random, blocks of one color, and streaks of pixels. */
#include "pixels/float_layers.h"
#include "pixels/noise.h"
#include "pixels/samples.h"

#include "base/number.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- glass --- */

/* Returns an integer in -delta .. delta - 1 from 32 random bits. */
static int step_of(uint32_t word, int delta)
{
    return (int)((uint64_t)word * (uint64_t)(2 * delta) >> 32) - delta;
}

/* Handles row y from its last pixel to its first. A pixel's new value may be taken again by later
 * pixels. */
static void shake_row(struct plane *p, const struct glass *g, uint32_t iteration, int y,
                      struct noise *noise)
{
    size_t size = pixel_type_size(p->type) * (size_t)p->channels;

    for (int x = p->width - g->delta; x > g->delta; x--) {
        int piece = x / PLACE_PIECE * PLACE_PIECE, i = x - piece;
        int n = p->width - piece < PLACE_PIECE ? p->width - piece : PLACE_PIECE;
        int dx, dy;

        if (i == PLACE_PIECE - 1 || x == p->width - g->delta)
            noise_words(g->key, iteration, piece, y, n, noise);
        dx = step_of(noise->word[0][i], g->delta);
        dy = step_of(noise->word[1][i], g->delta);
        memmove(plane_row(p, y) + (size_t)x * size, plane_row(p, y + dy) + (size_t)(x + dx) * size,
                size);
    }
}

void plane_glass(const struct plane *in, struct plane *out, const struct glass *g,
                 struct pool *pool)
{
    struct plane shaken =
        pool_plane(pool, (struct frame){ in->width, in->height }, in->channels, in->type);
    struct noise noise;

    plane_convolve(in, &shaken, g->k, g->n, g->k, g->n);
    for (int i = 0; i < g->iterations; i++)
        for (int y = in->height - g->delta; y > g->delta; y--)
            shake_row(&shaken, g, (uint32_t)i, y, &noise);
    plane_convolve(&shaken, out, g->k, g->n, g->k, g->n);
    for (int y = 0; y < in->height; y++)
        row_copy_alpha(in, out, y);
    pool_return(pool, &shaken);
}

/* --- blocks --- */

/* Returns the first pixel whose center is not before the cell. */
static int cell_begin(int cell, int cells, int pixels)
{
    double scale = (double)pixels / cells, centre = (cell + 0.5) * scale;

    return (int)(centre - scale / 2 + 0.5);
}

/* Writes the mean color of each cell in row `cell` of the grid. */
static void cell_means(const struct plane *in, struct frame cells, int cell, double *sum,
                       float *mean)
{
    size_t channels = (size_t)in->channels, n = (size_t)in->width * channels;
    int top = cell_begin(cell, cells.height, in->height);
    int bottom = cell_begin(cell + 1, cells.height, in->height);

    memset(sum, 0, n * sizeof *sum);
    for (int y = top; y < bottom; y++)
        for (size_t i = 0; i < n; i++)
            sum[i] += sample_level(plane_row(in, y), in->type, i);
    for (int k = 0; k < cells.width; k++) {
        int left = cell_begin(k, cells.width, in->width);
        int right = cell_begin(k + 1, cells.width, in->width);

        for (size_t c = 0; c < channels; c++) {
            double all = 0;

            for (int x = left; x < right; x++)
                all += sum[(size_t)x * channels + c];
            mean[(size_t)k * channels + c] =
                (float)(all / ((double)(right - left) * (bottom - top)));
        }
    }
}

void plane_pixelate(const struct plane *in, struct plane *out, struct frame smaller)
{
    size_t channels = (size_t)in->channels, n = (size_t)in->width * channels;
    double *sum = memory_take(n * sizeof *sum);
    float *mean = memory_take((size_t)smaller.width * channels * sizeof *mean);
    int made = -1;

    for (int y = 0; y < in->height; y++) {
        int cell = (int)((y + 0.5) * ((double)smaller.height / in->height));

        if (cell != made)
            cell_means(in, smaller, cell, sum, mean);
        made = cell;
        for (int x = 0; x < in->width; x++) {
            size_t at = (size_t)((x + 0.5) * ((double)smaller.width / in->width));

            for (size_t c = 0; c < channels; c++)
                sample_store(plane_row(out, y), out->type, (size_t)x * channels + c,
                             mean[at * channels + c]);
        }
        row_copy_alpha(in, out, y);
    }
    free(sum);
    free(mean);
}

/* --- streaks --- */

struct tap *streak_taps(struct arena *arena, int radius, double sigma, double degrees, int *n)
{
    struct tap *tap = ARENA_ARRAY(arena, struct tap, (size_t)(2 * radius + 1));
    double x = cos(radians(degrees)), y = sin(radians(degrees)), sum = 0;

    *n = 2 * radius + 1;
    for (int i = 0; i < *n; i++)
        sum += number_exp(-i * i / (2 * sigma * sigma));
    for (int i = 0; i < *n; i++)
        tap[i] = (struct tap){ .x = (int)ceil(i * x - 0.5),
                               .y = (int)ceil(i * y - 0.5),
                               .weight = (float)(number_exp(-i * i / (2 * sigma * sigma)) / sum) };
    return tap;
}
