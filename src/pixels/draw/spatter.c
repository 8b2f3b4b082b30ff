/* spatter: drops and splashes from smooth noise, as in ImageNet-C's spatter, which uses OpenCV's
 * Canny, distanceTransform, equalizeHist and 3 x 3 filters. */
#include "pixels/float_layers.h"
#include "pixels/samples.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Bytes, row after row. */
struct bytes {
    uint8_t *at;
    int width, height;
};

static struct bytes bytes_take(int width, int height)
{
    return (struct bytes){ memory_take((size_t)width * (size_t)height), width, height };
}

static size_t place(const struct bytes *b, int x, int y)
{
    return (size_t)y * (size_t)b->width + (size_t)x;
}

static int clamped(int i, int n)
{
    return i < 0 ? 0 : i < n ? i : n - 1;
}

/* --- Canny's edges --- */

enum { EDGE_LOW = 50, EDGE_HIGH = 150 };
enum { EDGE_NONE, EDGE_WEAK, EDGE_FOUND };

/* Computes Sobel's derivatives at a pixel. Outside the border the outermost pixels are repeated. */
static void slope(const struct bytes *b, int x, int y, int *dx, int *dy)
{
    int v[3][3];

    for (int j = -1; j <= 1; j++)
        for (int i = -1; i <= 1; i++)
            v[j + 1][i + 1] = b->at[place(b, clamped(x + i, b->width), clamped(y + j, b->height))];
    *dx = v[0][2] - v[0][0] + 2 * (v[1][2] - v[1][0]) + v[2][2] - v[2][0];
    *dy = v[2][0] - v[0][0] + 2 * (v[2][1] - v[0][1]) + v[2][2] - v[0][2];
}

/* Returns the steepness of a pixel; 0 outside the plane. */
static int steepness(const struct bytes *b, const int16_t *d, int x, int y)
{
    size_t at;

    if (x < 0 || y < 0 || x >= b->width || y >= b->height)
        return 0;
    at = 2 * place(b, x, y);
    return abs(d[at]) + abs(d[at + 1]);
}

/* True if a pixel is steepest across the edge. Directions are classified by the tangents of 22.5
 * and 67.5 degrees. */
static bool is_crest(const struct bytes *b, const int16_t *d, int x, int y)
{
    size_t at = 2 * place(b, x, y);
    int dx = abs(d[at]), dy = abs(d[at + 1]), here = dx + dy;
    int side = (d[at] ^ d[at + 1]) < 0 ? -1 : 1;
    double tangent = 0.4142135623730950488;

    if (dy < tangent * dx)
        return here > steepness(b, d, x - 1, y) && here >= steepness(b, d, x + 1, y);
    if (dy > (tangent + 2) * dx)
        return here > steepness(b, d, x, y - 1) && here >= steepness(b, d, x, y + 1);
    return here > steepness(b, d, x - side, y - 1) && here > steepness(b, d, x + side, y + 1);
}

/* Weak pixels next to found ones become found. `found` has room for the index of each pixel. */
static void follow(struct bytes *edge, size_t *found, size_t n)
{
    while (n) {
        size_t at = found[--n];
        int x = (int)(at % (size_t)edge->width), y = (int)(at / (size_t)edge->width);

        for (int k = 0; k < 9; k++) {
            int i = x + k % 3 - 1, j = y + k / 3 - 1;

            if (i < 0 || j < 0 || i >= edge->width || j >= edge->height ||
                edge->at[place(edge, i, j)] != EDGE_WEAK)
                continue;
            edge->at[place(edge, i, j)] = EDGE_FOUND;
            found[n++] = place(edge, i, j);
        }
    }
}

static struct bytes edges_of(const struct bytes *b)
{
    size_t pixels = (size_t)b->width * (size_t)b->height, n = 0;
    struct bytes edge = bytes_take(b->width, b->height);
    int16_t *d = memory_take(2 * pixels * sizeof *d);
    size_t *found = memory_take(pixels * sizeof *found);

    for (int y = 0; y < b->height; y++)
        for (int x = 0; x < b->width; x++) {
            int dx, dy;

            slope(b, x, y, &dx, &dy);
            d[2 * place(b, x, y)] = (int16_t)dx;
            d[2 * place(b, x, y) + 1] = (int16_t)dy;
        }
    for (int y = 0; y < b->height; y++)
        for (int x = 0; x < b->width; x++) {
            size_t at = place(b, x, y);
            int here = steepness(b, d, x, y);
            bool crest = here > EDGE_LOW && is_crest(b, d, x, y);

            edge.at[at] = !crest ? EDGE_NONE : here > EDGE_HIGH ? EDGE_FOUND : EDGE_WEAK;
            if (edge.at[at] == EDGE_FOUND)
                found[n++] = at;
        }
    follow(&edge, found, n);
    free(d);
    free(found);
    return edge;
}

/* --- distances --- */

enum { FARTHEST = 20 };

/* Steps up to a knight's move (Borgefors' 5 x 5 distance), and the same backwards. */
static const struct {
    int x, y;
    double length;
} moves[] = { { -1, 0, 1 },       { -1, -1, 1.4 },   { 0, -1, 1 },       { 1, -1, 1.4 },
              { -2, -1, 2.1969 }, { 2, -1, 2.1969 }, { -1, -2, 2.1969 }, { 1, -2, 2.1969 } };

static void spread(double *d, const struct bytes *edge, int x, int y, int sign)
{
    double *here = &d[place(edge, x, y)];

    for (size_t k = 0; k < sizeof moves / sizeof *moves; k++) {
        int i = x + sign * moves[k].x, j = y + sign * moves[k].y;

        if (i >= 0 && j >= 0 && i < edge->width && j < edge->height)
            *here = fmin(*here, d[place(edge, i, j)] + moves[k].length);
    }
}

/* Returns the distance of each pixel to the nearest edge, up to FARTHEST. */
static double *distances(const struct bytes *edge)
{
    size_t pixels = (size_t)edge->width * (size_t)edge->height;
    double *d = memory_take(pixels * sizeof *d);

    for (size_t i = 0; i < pixels; i++)
        d[i] = edge->at[i] == EDGE_FOUND ? 0 : FARTHEST;
    for (int y = 0; y < edge->height; y++)
        for (int x = 0; x < edge->width; x++)
            spread(d, edge, x, y, 1);
    for (int y = edge->height - 1; y >= 0; y--)
        for (int x = edge->width - 1; x >= 0; x--)
            spread(d, edge, x, y, -1);
    return d;
}

/* --- relief --- */

/* Writes means of 3 x 3, rounded down. */
static void mean_distances(const double *d, struct bytes *to)
{
    for (int y = 0; y < to->height; y++)
        for (int x = 0; x < to->width; x++) {
            double sum = 0;

            for (int k = 0; k < 9; k++)
                sum += d[place(to, mirrored(x + k % 3 - 1, to->width),
                               mirrored(y + k / 3 - 1, to->height))];
            /* Slightly more than the rounding error: nine times 20, divided by nine, gives 20. */
            to->at[place(to, x, y)] = (uint8_t)(sum / 9 + 1e-9);
        }
}

static void equalize(struct bytes *b)
{
    size_t pixels = (size_t)b->width * (size_t)b->height, count[256] = { 0 }, sum = 0;
    uint8_t table[256] = { 0 };
    int first = 0;

    for (size_t i = 0; i < pixels; i++)
        count[b->at[i]]++;
    while (!count[first])
        first++;
    if (count[first] == pixels)
        return;
    for (int v = first + 1; v < 256; v++) {
        sum += count[v];
        table[v] = (uint8_t)nearbyint((double)sum * 255 / (double)(pixels - count[first]));
    }
    for (size_t i = 0; i < pixels; i++)
        b->at[i] = table[b->at[i]];
}

/* Applies a 3 x 3 kernel, then divides, rounds and clamps. */
static void filter(const struct bytes *in, struct bytes *out, const int weight[9], int divisor)
{
    for (int y = 0; y < in->height; y++)
        for (int x = 0; x < in->width; x++) {
            int sum = 0;

            for (int k = 0; k < 9; k++)
                sum += weight[k] * in->at[place(in, mirrored(x + k % 3 - 1, in->width),
                                                mirrored(y + k / 3 - 1, in->height))];
            sum = sum < 0 ? 0 : (sum + divisor / 2) / divisor;
            out->at[place(out, x, y)] = (uint8_t)(sum > 255 ? 255 : sum);
        }
}

/* Returns light from the upper left on a surface that rises with the distance from edges. */
static struct bytes relief(const struct bytes *edge)
{
    struct bytes a = bytes_take(edge->width, edge->height);
    struct bytes b = bytes_take(edge->width, edge->height);
    double *d = distances(edge);

    mean_distances(d, &a);
    equalize(&a);
    filter(&a, &b, (const int[]){ -2, -1, 0, -1, 1, 1, 0, 1, 2 }, 1);
    filter(&b, &a, (const int[]){ 1, 1, 1, 1, 1, 1, 1, 1, 1 }, 9);
    free(d);
    free(b.at);
    return a;
}

void liquid_rain(struct plane *noise, double threshold)
{
    struct bytes drops = bytes_take(noise->width, noise->height), edge, light;
    int max = 0;

    for (int y = 0; y < noise->height; y++)
        for (int x = 0; x < noise->width; x++) {
            float v = layer_row(noise, y)[x];

            drops.at[place(&drops, x, y)] =
                (uint8_t)(v < (float)threshold || v < 0 ? 0 : fminf(v * 255, 255));
        }
    edge = edges_of(&drops);
    light = relief(&edge);
    for (size_t i = 0; i < (size_t)noise->width * (size_t)noise->height; i++)
        max = drops.at[i] * light.at[i] > max ? drops.at[i] * light.at[i] : max;
    for (int y = 0; y < noise->height; y++)
        for (int x = 0; x < noise->width; x++) {
            size_t at = place(&drops, x, y);

            layer_row(noise, y)[x] = max ? (float)(drops.at[at] * light.at[at]) / (float)max : 0;
        }
    free(drops.at);
    free(edge.at);
    free(light.at);
}

void liquid_mud(struct plane *noise, double threshold, const float *k, int n, struct pool *pool)
{
    struct plane splash = layer_take(pool, (struct frame){ noise->width, noise->height });

    for (int y = 0; y < noise->height; y++)
        for (int x = 0; x < noise->width; x++)
            layer_row(&splash, y)[x] = layer_row(noise, y)[x] > (float)threshold;
    plane_convolve(&splash, noise, k, n, k, n);
    for (int y = 0; y < noise->height; y++)
        for (int x = 0; x < noise->width; x++)
            if (layer_row(noise, y)[x] < 0.8f)
                layer_row(noise, y)[x] = 0;
    pool_return(pool, &splash);
}
