/* float_layers: planes of one float channel for weather and liquids, and loops that only
 * corruptions use. Noise depends only on (key, x, y). As in filters.h, `in` and `out` have the same
 * frame, channels and type and do not overlap, and alpha is copied. */
#pragma once

#include "pixels/filters.h"

/* Returns an undefined plane of one float channel; the caller gives it to pool_return. */
struct plane layer_take(struct pool *, struct frame);
/* Returns row y of a layer. */
float *layer_row(const struct plane *layer, int y);

/* Fills the layer with normal noise. */
void layer_normals(struct plane *layer, uint32_t key, double mean, double sigma);

/* Fills the layer with a plasma fractal in 0..1, by the diamond-square algorithm (Fournier,
 * Fussell, Carpenter, Computer rendering of stochastic models, CACM 1982). It is computed on a
 * torus whose side is the smallest power of two that holds the layer. The random number added to a
 * mean of four is at first uniform in -10000..10000. Each time the distance is halved, it becomes
 * decay^2 times smaller. Layers of more than PLASMA_SIDE pixels a side are enlarged from a torus of
 * that side. The torus as a whole reaches both 0 and 1. */
enum { PLASMA_SIDE = 1024 };
void layer_plasma(struct plane *layer, double decay, uint32_t key);

/* Enlarges the center of a plane by `factor` >= 1, bilinearly, to the size of the plane. The center
 * has n = ceil(side / factor) pixels per side, which become round(n * factor) pixels with the first
 * and last pixel centers kept. `out` gets the middle of those. (scipy.ndimage.zoom of order 1.) */
void layer_zoom(const struct plane *in, struct plane *out, double factor);

/* Writes the mean of the plane and its zooms by each of n factors, as by layer_zoom, in single
 * precision, rounded once. */
void plane_zoom_blur(const struct plane *in, struct plane *out, const double *factor, int n);

/* Frosted glass. The plane is convolved by the kernel k (n taps, odd, sums to 1) in both
 * directions. Then, `iterations` times, from the last pixel to the first, each pixel far enough
 * from the border takes the value of a neighbor. Its offset is uniform in -delta..delta - 1 in each
 * direction. Then the plane is convolved again. */
struct glass {
    const float *k;
    int n, delta, iterations;
    uint32_t key;
};
void plane_glass(const struct plane *in, struct plane *out, const struct glass *, struct pool *);

/* Writes blocks of one color each. A block's color is the mean, rounded once, of the pixels whose
 * centers are in a cell of a grid of the smaller frame. A pixel shows the block whose cell contains
 * its center. (Pillow's BOX resize, down and back up.) */
void plane_pixelate(const struct plane *in, struct plane *out, struct frame smaller);

/* Returns the n taps of a line from the pixel itself, 2 * radius pixels long. `degrees` is where
 * the motion comes from (0: the right, 90: below). Weights fall like one half of a Gaussian and sum
 * to 1; each tap is at the nearest pixel. (ImageMagick's MotionBlurImage.) The arena owns them. */
struct tap *streak_taps(struct arena *, int radius, double sigma, double degrees, int *n);

/* Amounts of a liquid, >= 0, from a layer of smooth noise, in place.
 * liquid_rain: where the noise is at least `threshold`, the noise times a relief of the distance
 * from the drops' edges, as in ImageNet-C's spatter. The largest value is 1, or all are 0.
 * liquid_mud: 1 where the noise is above `threshold`, convolved by the kernel k; values below 0.8
 * become 0. */
void liquid_rain(struct plane *noise, double threshold);
void liquid_mud(struct plane *noise, double threshold, const float *k, int n, struct pool *);
