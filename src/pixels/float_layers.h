/* float_layers: planes of one channel of floats that weather and liquids are made of, and loops
 * that only corruptions have. Noise is pure in (key, x, y). As in filters.h, `in` and `out` have
 * the same frame, channels and type and do not overlap, and alpha is copied. */
#pragma once

#include "pixels/filters.h"

/* Floats of one channel, undefined; pool_return takes it back. */
struct plane layer_take(struct pool *, struct frame);
/* Row y of a layer, from its first pixel on. */
float *layer_row(const struct plane *layer, int y);

/* Normal noise. */
void layer_normals(struct plane *layer, uint32_t key, double mean, double sigma);

/* A plasma fractal, 0..1: squares and diamonds (Fournier, Fussell, Carpenter, Computer rendering of
 * stochastic models, CACM 1982) on a torus whose side is the power of two that holds the layer.
 * What is added to a mean of four at first is uniform in -10000..10000, and from one halving of the
 * distance to the next decay^2 times smaller. Layers of more than PLASMA_SIDE pixels a side are
 * enlarged from one of that many. Both ends of 0..1 lie somewhere on the torus. */
enum { PLASMA_SIDE = 1024 };
void layer_plasma(struct plane *layer, double decay, uint32_t key);

/* The middle of a plane, factor (>= 1) times as large: ceil(side / factor) pixels of each side,
 * whose first and last centre become those of round(that * factor) pixels, of which the middle is
 * taken; bilinear. (scipy.ndimage.zoom of order 1.) */
void layer_zoom(const struct plane *in, struct plane *out, double factor);

/* The mean of the plane and of it zoomed like that by each of n factors: single precision, rounded
 * once. */
void plane_zoom_blur(const struct plane *in, struct plane *out, const double *factor, int n);

/* Convolved by the kernel k (odd, sums to 1) both ways; then so often, from the last pixel to the
 * first, each pixel that is far enough from the border takes the value of one beside it: uniform in
 * delta to the left, or up, to delta - 1 to the right, or down; then convolved again. */
struct glass {
    const float *k;
    int n, delta, iterations;
    uint32_t key;
};
void plane_glass(const struct plane *in, struct plane *out, const struct glass *, struct pool *);

/* Blocks of one colour each: the mean, rounded once, of the pixels whose centres lie in a cell of a
 * grid of the smaller frame, shown where the centre of a pixel lies in the cell (Pillow's BOX,
 * there and back). */
void plane_pixelate(const struct plane *in, struct plane *out, struct frame smaller);

/* Taps of a line that begins at the pixel itself and goes 2 * radius pixels towards what comes from
 * `degrees` (0: from the right, 90: from below); their weights fall like one half of a Gaussian and
 * sum to 1, each at the nearest pixel (ImageMagick's MotionBlurImage). */
struct tap *streak_taps(struct arena *, int radius, double sigma, double degrees, int *n);

/* How much of a liquid there is, 0 and up. `noise` is a layer of smooth noise.
 * liquid_rain: where it is at least `threshold`, times a relief of the distance from the edges of
 * those drops, as ImageNet-C's spatter has it; largest value 1, or all 0.
 * liquid_mud: 1 where it is above `threshold`, convolved by the kernel k; less than 0.8 is 0. */
void liquid_rain(struct plane *noise, double threshold);
void liquid_mud(struct plane *noise, double threshold, const float *k, int n, struct pool *);
