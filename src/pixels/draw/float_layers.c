/* float_layers: noise, fractals and zooms of single channels of floats. */
#include "pixels/float_layers.h"
#include "pixels/noise.h"
#include "pixels/samples.h"

#include "base/number.h"

#include <math.h>
#include <stdlib.h>

struct plane layer_take(struct pool *pool, struct frame frame)
{
    return pool_plane(pool, frame, 1, PIXEL_F32);
}

float *layer_row(const struct plane *layer, int y)
{
    return (float *)plane_row(layer, y);
}

void layer_normals(struct plane *layer, uint32_t key, double mean, double sigma)
{
    float other[PLACE_PIECE];
    struct noise noise;

    for (int y = 0; y < layer->height; y++)
        for (int x = 0; x < layer->width; x += PLACE_PIECE) {
            int n = layer->width - x < PLACE_PIECE ? layer->width - x : PLACE_PIECE;
            float *to = layer_row(layer, y) + x;

            noise_words(key, 0, x, y, n, &noise);
            noise_normals(noise.word[0], noise.word[1], n, to, other);
            for (int i = 0; i < n; i++)
                to[i] = (float)mean + (float)sigma * to[i];
        }
}

/* --- plasma --- */

/* A square torus. */
struct torus {
    float *at;
    int side;
};

static float *torus_at(const struct torus *t, int x, int y)
{
    int mask = t->side - 1;

    return &t->at[(size_t)(y & mask) * (size_t)t->side + (size_t)(x & mask)];
}

/* Fills the torus with uniform noise in -1..1. */
static void torus_noise(struct torus *t, uint32_t key)
{
    uint32_t word[PLACE_PIECE];

    for (int y = 0; y < t->side; y++)
        for (int x = 0; x < t->side; x += PLACE_PIECE) {
            int n = t->side - x < PLACE_PIECE ? t->side - x : PLACE_PIECE;
            float *to = torus_at(t, x, y);

            noise_first_words(key, 0, x, y, n, word);
            noise_units(word, n, to);
            for (int i = 0; i < n; i++)
                to[i] = 2 * to[i] - 1;
        }
}

/* A grid of points from (x0, y0) on, `step` apart in both directions. Each point takes the mean of
 * four neighbors: the first is at (dx, dy) from it, the others follow at quarter turns. */
struct cell_step {
    int x0, y0, step, dx, dy;
};

static void torus_fill(struct torus *t, struct cell_step s, float amplitude)
{
    for (int y = s.y0; y < t->side; y += s.step)
        for (int x = s.x0; x < t->side; x += s.step) {
            float sum = *torus_at(t, x + s.dx, y + s.dy) + *torus_at(t, x - s.dy, y + s.dx) +
                        *torus_at(t, x - s.dx, y - s.dy) + *torus_at(t, x + s.dy, y - s.dx);
            float *to = torus_at(t, x, y);

            *to = sum / 4 + amplitude * *to;
        }
}

static void torus_plasma(struct torus *t, double decay, uint32_t key)
{
    double wibble = 100;
    float lo, hi;

    torus_noise(t, key);
    t->at[0] = 0;
    for (int step = t->side; step >= 2; step /= 2, wibble /= decay) {
        float amplitude = (float)(wibble * wibble);
        int half = step / 2;

        torus_fill(t, (struct cell_step){ half, half, step, half, half }, amplitude);
        torus_fill(t, (struct cell_step){ half, 0, step, half, 0 }, amplitude);
        torus_fill(t, (struct cell_step){ 0, half, step, half, 0 }, amplitude);
    }
    lo = hi = t->at[0];
    for (size_t i = 0; i < (size_t)t->side * (size_t)t->side; i++) {
        lo = fminf(lo, t->at[i]);
        hi = fmaxf(hi, t->at[i]);
    }
    for (size_t i = 0; i < (size_t)t->side * (size_t)t->side; i++)
        t->at[i] = hi > lo ? (t->at[i] - lo) / (hi - lo) : 0;
}

static float blend(float a, float b, float share)
{
    return a + (b - a) * share;
}

void layer_plasma(struct plane *layer, double decay, uint32_t key)
{
    struct torus t = { .side = 1 };
    int whole = 1;

    while (whole < layer->width || whole < layer->height)
        whole *= 2;
    t.side = whole < PLASMA_SIDE ? whole : PLASMA_SIDE;
    t.at = memory_take((size_t)t.side * (size_t)t.side * sizeof *t.at);
    torus_plasma(&t, decay, key);
    for (int y = 0; y < layer->height; y++) {
        float *to = layer_row(layer, y), v = (float)y * (float)t.side / (float)whole;
        int above = (int)v;

        for (int x = 0; x < layer->width; x++) {
            float u = (float)x * (float)t.side / (float)whole;
            int left = (int)u;
            float right = u - (float)left;

            to[x] = blend(
                blend(*torus_at(&t, left, above), *torus_at(&t, left + 1, above), right),
                blend(*torus_at(&t, left, above + 1), *torus_at(&t, left + 1, above + 1), right),
                v - (float)above);
        }
    }
    free(t.at);
}

/* --- zooms --- */

/* The position of an output index: between `at` and the next input index. */
struct between_pixels {
    int32_t at, next;
    float share; /* weight of `next` */
};

static struct between_pixels *zoom_axis(int n, double factor)
{
    struct between_pixels *axis = memory_take((size_t)n * sizeof *axis);
    int cut = (int)ceil(n / factor), to = round_half_even(cut * factor);
    int begin = (n - cut) / 2, trim = (to - n) / 2;
    double step = to > 1 ? (double)(cut - 1) / (to - 1) : 0;

    for (int i = 0; i < n; i++) {
        double v = (i + trim) * step;
        int at = (int)v;

        axis[i].at = begin + at;
        axis[i].next = begin + (at + 1 < cut ? at + 1 : at);
        axis[i].share = (float)(v - at);
    }
    return axis;
}

/* Adds row y of the zoomed plane to `sum`; `rows` has room for two rows. */
static void add_zoomed(const struct plane *in, const struct between_pixels *across,
                       const struct between_pixels *down, int y, float *rows, float *sum)
{
    size_t channels = (size_t)in->channels, n = (size_t)in->width * channels;
    float *above = rows, *below = rows + n, share = down[y].share;

    row_load(plane_row(in, down[y].at), in->type, above, n);
    row_load(plane_row(in, down[y].next), in->type, below, n);
    for (size_t i = 0; i < n; i++)
        above[i] = blend(above[i], below[i], share);
    for (size_t x = 0; x < (size_t)in->width; x++)
        for (size_t c = 0; c < channels; c++)
            sum[x * channels + c] +=
                blend(above[(size_t)across[x].at * channels + c],
                      above[(size_t)across[x].next * channels + c], across[x].share);
}

void layer_zoom(const struct plane *in, struct plane *out, double factor)
{
    struct between_pixels *across = zoom_axis(in->width, factor);
    struct between_pixels *down = zoom_axis(in->height, factor);
    float *rows = memory_take((size_t)in->width * 2 * sizeof *rows);

    for (int y = 0; y < in->height; y++) {
        float *to = layer_row(out, y);

        for (int x = 0; x < in->width; x++)
            to[x] = 0;
        add_zoomed(in, across, down, y, rows, to);
    }
    free(rows);
    free(across);
    free(down);
}

void plane_zoom_blur(const struct plane *in, struct plane *out, const double *factor, int n)
{
    size_t samples = (size_t)in->width * (size_t)in->channels;
    struct between_pixels **across = memory_take((size_t)n * sizeof *across);
    struct between_pixels **down = memory_take((size_t)n * sizeof *down);
    float *rows = memory_take(samples * 3 * sizeof *rows), *sum = rows + 2 * samples;

    for (int k = 0; k < n; k++) {
        across[k] = zoom_axis(in->width, factor[k]);
        down[k] = zoom_axis(in->height, factor[k]);
    }
    for (int y = 0; y < in->height; y++) {
        row_load(plane_row(in, y), in->type, sum, samples);
        for (int k = 0; k < n; k++)
            add_zoomed(in, across[k], down[k], y, rows, sum);
        for (size_t i = 0; i < samples; i++)
            sum[i] /= (float)(n + 1);
        row_store(sum, out->type, plane_row(out, y), samples);
        row_copy_alpha(in, out, y);
    }
    for (int k = 0; k < n; k++) {
        free(across[k]);
        free(down[k]);
    }
    free(across);
    free(down);
    free(rows);
}
