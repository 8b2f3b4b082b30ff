/* filters: loops over planes that read a pixel's neighborhood.
 *
 * As in plane.h, `in` and `out` have the same frame, channels and type and do not overlap, and
 * alpha is copied. Planes have 8 or 16 bits, not float. Unless a comment says otherwise, borders
 * are mirrored without repeating the edge, several times if the kernel is larger than the plane. */
#pragma once

#include "base/arena.h"
#include "pixels/plane.h"

/* Writes blurred + factor * (pixel - blurred). `blurred` is the rounded mean of 3 x 3 pixels, the
 * middle one counted five times (torchvision's adjust_sharpness). factor >= 0; 0 gives the blur.
 * The outermost pixels do not change, so planes of fewer than 3 rows or columns do not change. */
void plane_sharpness(const struct plane *in, struct plane *out, float factor);

/* Writes the exact mean of nx x ny pixels, rounded. nx and ny are odd and at most 255. */
void plane_box(const struct plane *in, struct plane *out, int nx, int ny);

/* Writes the median of k x k pixels in each channel. k is odd and at most 255. */
void plane_median(const struct plane *in, struct plane *out, int k, struct pool *);

/* Writes the largest or smallest value, in each channel, of the pixels in an ellipse of this size.
 * Sides are 1 to 255; an even side has its anchor right of (below) the middle. Pixels outside the
 * border do not count. (OpenCV's dilate and erode with MORPH_ELLIPSE.) */
void plane_morphology(const struct plane *in, struct plane *out, struct frame kernel, bool largest);

/* Writes the weighted mean of the pixels in a disc of radius >= 1. A pixel's weight is a Gaussian
 * of its distance in pixels times a Gaussian of its color difference. This is the sum of the
 * absolute differences on the 0..255 scale. (Tomasi and Manduchi, Bilateral filtering for gray and
 * color images, ICCV 1998, as in OpenCV's bilateralFilter.) */
void plane_bilateral(const struct plane *in, struct plane *out, int radius, double sigma_color,
                     double sigma_space, struct pool *);

/* Distorts red and blue each by its own lens; green is copied. For planes of three colors. The
 * pixel at distance r from the center, in units of the plane's sides, comes from (1 + k1 r^2 + k2
 * r^4) times that distance. Outside the border the edge is repeated. */
struct lens_channel {
    double k1, k2;
};
void plane_aberration(const struct plane *in, struct plane *out, const struct lens_channel *red,
                      const struct lens_channel *blue, enum interpolation interpolation);

/* Writes out(x, y) = the sum of weight * in(x + tap.x, y + tap.y) over the n taps, in single
 * precision, rounded once. The weights usually sum to 1. */
struct tap {
    int x, y;
    float weight;
};
void plane_convolve_taps(const struct plane *in, struct plane *out, const struct tap *, int n,
                         struct pool *);

/* Contrast-limited adaptive histogram equalization, as in OpenCV. The plane has columns x rows
 * tiles of equal size; the last ones extend into the mirrored border. Each tile has a table that
 * equalizes its histogram. No level of a histogram may have more than clip_limit times the mean
 * count; the excess is spread over all levels (0: no limit). Between the centers of the tiles, the
 * results of the tables are interpolated. For three colors, the luma 0.299 R + 0.587 G + 0.114 B is
 * equalized and Cb and Cr are kept. So all three colors change by as much as the luma. */
void plane_clahe(const struct plane *in, struct plane *out, double clip_limit, int columns,
                 int rows, struct pool *);

/* Unsharp mask: in + s * amount * (in - blurred). `blurred` is a convolution by the kernel k (n
 * taps, odd, sums to 1) in both directions. s is 1 where the two differ by more than `threshold`
 * levels of the plane and 0 elsewhere, and is then blurred in the same way. Blurred planes are
 * rounded. */
void plane_unsharp(const struct plane *in, struct plane *out, const float *k, int n, float amount,
                   float threshold, struct pool *);

/* Copies the alpha of `in`, if the two planes have alpha. */
void plane_restore_alpha(const struct plane *in, struct plane *out);

/* Resizes as plane_resize does, or by NEAREST. */
void plane_resize_any(const struct plane *in, struct plane *out, enum interpolation interpolation,
                      bool antialias);

/* Superpixels by SLIC: about n_segments segments of pixels that are near each other and look alike.
 * The key chooses segments, each with probability p_replace; all pixels of a chosen segment become
 * their mean. Returns false if none was chosen.
 *
 * The algorithm is from Achanta et al., SLIC superpixels compared to state-of-the-art superpixel
 * methods, PAMI 2012, as in Albumentations: 10 rounds. In a round, a pixel joins the center of the
 * least distance, if that is less than in any earlier round. The distance is the squared color
 * difference (1 is the largest value) plus 10 times the squared distance of positions (1 is the
 * side of a segment's square). Centers then move to the mean position of their pixels, rounded
 * down. A center's color is the color of the pixel there. */
struct superpixels {
    int n_segments;
    double p_replace;
    uint32_t key;
};
bool plane_superpixels(const struct plane *in, struct plane *out, const struct superpixels *);

/* Resizes to a smaller frame by `down` and back by `up`. `antialias` is as in plane_resize, for
 * `down`. */
void plane_downscale(const struct plane *in, struct plane *out, struct frame smaller,
                     enum interpolation down, enum interpolation up, bool antialias, struct pool *);

/* Encodes as a JPEG of this quality (1..100, 4:2:0 subsampling) and decodes again; 16 bits by way
 * of 8. Sides are at most 65500. */
void plane_jpeg(const struct plane *in, struct plane *out, int quality, struct pool *);

/* The same by a lossy WebP. It always has three colors: gray becomes their luma. Sides are at most
 * 16383. picture_library must have found libvips. */
void plane_webp(const struct plane *in, struct plane *out, int quality, struct pool *);

/* Makes noise as plane_paint does on a plane of one float channel, and convolves it as
 * plane_convolve does, without a plane of either. For each row y from the top, row() is called with
 * `line` NULL and returns true if it wants the row; then it is called again with the row. */
typedef bool noise_row_fn(void *context, int y, const float *line);
void noise_convolve(struct frame, uint32_t key, const float *x, int nx, const float *y, int ny,
                    noise_row_fn *row, void *context);

/* Returns the n taps (odd) of a Gaussian whose sigma is in pixels, in the arena. They sum to 1. */
const float *gaussian_kernel(struct arena *, int n, double sigma);
