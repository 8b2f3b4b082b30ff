/* filters: loops over planes that look at what is around a pixel.
 *
 * As in plane.h: `in` and `out` have the same frame, channels and type and do not overlap, and
 * alpha is copied. 8 and 16 bit, not float. Unless it says otherwise, borders are mirrored without
 * repeating the edge, again and again when the kernel is larger than the plane. */
#pragma once

#include "base/arena.h"
#include "pixels/plane.h"

/* Away from a blur: blurred + factor * (pixel - blurred), where blurred is the mean of 3x3 pixels,
 * the middle one counted five times, rounded (torchvision's adjust_sharpness). The outermost pixels
 * stay, so planes of less than 3 rows or columns do. factor >= 0; 0 is the blur. */
void plane_sharpness(const struct plane *in, struct plane *out, float factor);

/* Means over nx x ny pixels, odd numbers of at most 255, exact and rounded. */
void plane_box(const struct plane *in, struct plane *out, int nx, int ny);

/* The median of k x k pixels in each channel, k being odd and at most 255. */
void plane_median(const struct plane *in, struct plane *out, int k, struct pool *);

/* The largest or smallest value, in each channel, of the pixels in an ellipse of this size, each
 * side 1 to 255; where a side is even its middle is the pixel behind the middle. Pixels beyond the
 * border do not count. (OpenCV's dilate and erode with MORPH_ELLIPSE.) */
void plane_morphology(const struct plane *in, struct plane *out, struct frame kernel, bool largest);

/* Means of the pixels in a disc, of radius >= 1, around each: a pixel counts by a Gaussian of its
 * distance, in pixels, times one of how far its colours are, summed up without their signs, on the
 * 0..255 scale. (Tomasi and Manduchi, Bilateral filtering for gray and color images, ICCV 1998, as
 * OpenCV's bilateralFilter.) */
void plane_bilateral(const struct plane *in, struct plane *out, int radius, double sigma_color,
                     double sigma_space, struct pool *);

/* Of planes of three colours, red and blue each through a lens of its own, green as it is: what is
 * at distance r from the middle, in sides of the plane, comes from (1 + k1 r^2 + k2 r^4) times as
 * far; beyond the border the edge goes on. */
struct lens_channel {
    double k1, k2;
};
void plane_aberration(const struct plane *in, struct plane *out, const struct lens_channel *red,
                      const struct lens_channel *blue, enum interpolation interpolation);

/* out(x, y) is the sum of weight * in(x + tap.x, y + tap.y) over the n taps, in single precision,
 * rounded once. The weights usually sum to 1. */
struct tap {
    int x, y;
    float weight;
};
void plane_convolve_taps(const struct plane *in, struct plane *out, const struct tap *, int n,
                         struct pool *);

/* Contrast-limited adaptive histogram equalisation, as OpenCV's: tiles of equal size (the last ones
 * reach into the mirrored border), in each a table that equalises its histogram, of which no level
 * may have more than clip_limit times the mean count (what is cut off is spread over all levels; 0
 * for no limit); between the tiles' centres the tables' results are blended. Of three colours, it
 * is done to the luma, 0.299 R + 0.587 G + 0.114 B, and Cb and Cr are kept: all three change by as
 * much as the luma. */
void plane_clahe(const struct plane *in, struct plane *out, double clip_limit, int columns,
                 int rows, struct pool *);

/* in + s * amount * (in - blurred), where blurred is a convolution by the kernel k (odd, sums to 1)
 * both ways, and s is 1 where the two differ by more than `threshold` levels of the plane, 0
 * elsewhere, itself blurred the same way. Blurred planes are rounded. */
void plane_unsharp(const struct plane *in, struct plane *out, const float *k, int n, float amount,
                   float threshold, struct pool *);

/* The alpha of `in`, where the two planes have it. */
void plane_restore_alpha(const struct plane *in, struct plane *out);

/* plane_resize, or NEAREST. */
void plane_resize_any(const struct plane *in, struct plane *out, enum interpolation interpolation,
                      bool antialias);

/* About n_segments segments, of pixels that are near each other and look alike; of those that the
 * key chooses, each with probability p_replace, all pixels become their mean. False when none was
 * chosen. SLIC (Achanta et al., SLIC superpixels compared to state-of-the-art superpixel methods,
 * PAMI 2012) as Albumentations has it: 10 rounds, in which a pixel goes to the centre of the least
 * squared distance of colours, 1 being the largest value, plus 10 times that of places, 1 being the
 * side of a segment's square, if that is less than it ever was, and centres then go to the mean
 * place of their pixels, rounded down; a centre's colour is that of the pixel there. */
struct superpixels {
    int n_segments;
    double p_replace;
    uint32_t key;
};
bool plane_superpixels(const struct plane *in, struct plane *out, const struct superpixels *);

/* Resized to a smaller frame by `down` and back by `up`; `antialias` as of plane_resize. */
void plane_downscale(const struct plane *in, struct plane *out, struct frame smaller,
                     enum interpolation down, enum interpolation up, bool antialias, struct pool *);

/* Written as a JPEG of this quality, 1..100, with chroma at half size both ways (4:2:0), and read
 * again; 16 bit by way of 8 bit. Sides are at most 65500. */
void plane_jpeg(const struct plane *in, struct plane *out, int quality, struct pool *);

/* The same as a lossy WebP, which has three colours: gray becomes their luma. Sides are at most
 * 16383, and picture_library must have found libvips. */
void plane_webp(const struct plane *in, struct plane *out, int quality, struct pool *);

/* Noise as plane_paint makes it on a plane of one float channel, convolved as plane_convolve does,
 * without planes of either: row() is asked which rows y it wants (`line` is NULL, true for yes),
 * and given those, one after the other from above. */
typedef bool noise_row_fn(void *context, int y, const float *line);
void noise_convolve(struct frame, uint32_t key, const float *x, int nx, const float *y, int ny,
                    noise_row_fn *row, void *context);

/* The n taps, odd, of a Gaussian of this standard deviation in pixels; they sum to 1. */
const float *gaussian_kernel(struct arena *, int n, double sigma);
