/* plane: pixels in memory, and the loops over them.
 *
 * A plane is a rectangle of interleaved samples. Loops read `in` and write `out`; the two never
 * overlap unless a function says "in place". The caller allocates `out` with the frame it wants.
 * `in` and `out` have the same type and channels, unless a function says otherwise. u8 and u16
 * results are rounded to nearest and clamped. Planes of two or four channels carry alpha as their
 * last channel: geometry moves alpha like a color, color loops copy it. The loops are plain C,
 * compiled with -ffp-contract=off, so that results are equal on all machines.
 *
 * Abbreviations: u8 is PIXEL_U8, u16 is PIXEL_U16. "Not for float" means that a plane of PIXEL_F32
 * is a caller's error that is not checked. */
#pragma once

#include "base/base.h"
#include "geom/geom.h"

enum pixel_type { PIXEL_U8, PIXEL_U16, PIXEL_F32 };

struct plane {
    void *px;
    enum pixel_type type;
    int width, height, channels; /* channels 1..4, interleaved */
    size_t stride;               /* bytes from one row to the next */
};

/* Returns the full value of a sample: 255, 65535, or 1 for float. */
double pixel_type_max(enum pixel_type);
int pixel_type_levels(enum pixel_type); /* 256 or 65536; not for float */
size_t pixel_type_size(enum pixel_type);
/* Returns the value that equals 1 on the 0..255 scale of parameters: 1, 257, or 1/255 for float. */
double pixel_type_unit(enum pixel_type);
/* Returns the number of channels without alpha: 1 for planes of one or two channels, otherwise
 * 3. */
int plane_colours(const struct plane *);
size_t plane_bytes(const struct plane *); /* height x stride */

/* A pool of buffers that are reused from image to image: the page faults of a fresh buffer cost
 * more than the work on it. pool_plane returns a plane with undefined pixels, whose rows begin on
 * cache lines; it never returns NULL pixels (memory_gone ends the process). pool_return puts the
 * plane's buffer back and clears the plane. pool_drop frees all idle buffers. An empty pool is all
 * zero. */
struct pool_buffer;
struct pool {
    struct pool_buffer *idle;
};
struct plane pool_plane(struct pool *, struct frame, int channels, enum pixel_type);
void pool_return(struct pool *, struct plane *);
void pool_drop(struct pool *);

/* Returns the pixels [x, x + width) x [y, y + height) of a plane as a plane. It shares the pixels,
 * so it must not be returned to a pool. */
struct plane plane_part(const struct plane *, int x, int y, int width, int height);

enum interpolation {
    INTERPOLATION_NEAREST,
    INTERPOLATION_BILINEAR,
    INTERPOLATION_BICUBIC,
    INTERPOLATION_LANCZOS,
    INTERPOLATION_BOX, /* this and the next two are for resizing only */
    INTERPOLATION_HAMMING,
    INTERPOLATION_AREA,
};

/* The pixels that a plane shows outside its border, as in numpy.pad and OpenCV. */
enum padding_mode {
    PADDING_CONSTANT,
    PADDING_EDGE,
    PADDING_REFLECT,
    PADDING_SYMMETRIC,
    PADDING_WRAP,
};
/* Returns the index in [0, n) of the pixel that is shown at index i of a line of n pixels. The
 * padding mode continues the line without end on both sides. PADDING_CONSTANT returns -1 outside
 * [0, n). */
int border_index(enum padding_mode, double i, int n);

/* The pixel outside a plane: one value per channel, on the plane's own scale. If the border is not
 * PADDING_CONSTANT, warps continue the plane's own pixels instead. */
struct fill {
    double channel[4];
    enum padding_mode border;
};
bool fill_equal(const struct fill *, const struct fill *);

/* Moves whole pixels: out(x, y) = in(col[x], row[y]), or with `swap` in(col[y], row[x]). An index
 * of -1 takes the fill. `col` and `row` are as in struct map (geom.h), but need not be monotone
 * (mirrored borders). */
void plane_remap(const struct plane *in, struct plane *out, const int32_t *col, const int32_t *row,
                 bool swap, const struct fill *);

/* Warps by the inverse matrix (output to source, continuous coordinates), NEAREST or BILINEAR.
 * NEAREST takes the source pixel under the output pixel's center (mat3_apply_centre). BILINEAR
 * blends 4 taps; taps outside the source count as the fill: sum of w * px + (1 - m) * fill, with m
 * the sum of the weights inside. (torchvision weights the border twice; see its issue 8083.) */
void plane_warp(const struct plane *in, struct plane *out, const struct mat3 *inverse,
                enum interpolation, const struct fill *);

/* Warps rows [y0, y1) only, with the same bytes as plane_warp. */
void plane_warp_rows(const struct plane *in, struct plane *out, const struct mat3 *inverse,
                     enum interpolation, const struct fill *, int y0, int y1);

/* Samples rows [y0, y1) of a plane through a displacement field (geom/field.h) whose canvas has the
 * frame of `out`. Interpolation and fill are as for plane_warp. NEAREST picks exactly the pixels
 * that RLE masks pick. */
void plane_displace_rows(const struct plane *in, struct plane *out, const struct field *,
                         enum interpolation, const struct fill *, int y0, int y1);

/* Half-planes of an image. A point is inside an edge if a x + b y + c > 0. (a, b) has length 1, so
 * this value is the distance from the edge in pixels. */
struct edge {
    double a, b, c;
};
struct edges {
    const struct edge *at;
    size_t n;
};

/* Warps rows [y0, y1) by an affine matrix, only where the output is inside all edges. The source's
 * border is continued outward about as far as the edges reach, plus one pixel; farther outside,
 * pixels become 0. `shift` returns by how much of an output pixel (-1..1) row y is shifted along
 * the row; it may be NULL. */
typedef double row_shift_fn(int y);
void plane_warp_inside(const struct plane *in, struct plane *out, const struct mat3 *inverse,
                       enum interpolation interpolation, const struct edges *, row_shift_fn *shift,
                       int y0, int y1);
/* Fills the pixels of rows [y0, y1) that are outside any edge. With BILINEAR, pixels on an edge are
 * blended with the fill, over a width of one pixel. */
void plane_fill_outside(struct plane *, enum interpolation interpolation, const struct edges *,
                        const struct fill *, int y0, int y1);

/* Resizes a whole plane, separably, with taps renormalized at the border, as torchvision does for
 * floats (torch's _upsample_bilinear2d_aa and similar functions). With `antialias` the filter
 * widens by in/out when shrinking. Filters: BILINEAR, BICUBIC (a = -0.5 with antialias, -0.75
 * without), LANCZOS (a = 3), and Pillow's BOX and HAMMING (half-widths 1/2 and 1).
 *
 * AREA is OpenCV's INTER_AREA, with or without antialias, decided for each side separately. A side
 * that shrinks takes the mean of the pixels that an output pixel covers. A side that grows blends
 * two neighbors where an output pixel crosses the end of a source pixel.
 *
 * Intermediate rows are floats; values are rounded once, at the end. BILINEAR of u8 may use fixed
 * point: values within a quarter of a level of a half may be rounded the other way. For NEAREST use
 * plane_remap with resize_index. */
void plane_resize(const struct plane *in, struct plane *out, enum interpolation, bool antialias);
/* The same, BILINEAR without antialias, to exactly half the width and height: the means of four
 * pixels. */
void plane_halve(const struct plane *in, struct plane *out);
/* A resize of a part of the source, in pieces. Output index k covers the source coordinates [begin
 * + k * scale, begin + (k + 1) * scale); stretch_whole covers the whole source. resizer_rows writes
 * rows [y0, y1) of `out`; calls must go down the plane and leave no row out. resizer_begin
 * allocates memory that resizer_end frees. It borrows the planes until then. */
struct stretch {
    double begin, scale; /* scale > 0; whole pixels are copied if scale is 1 and begin is whole */
};
struct stretch stretch_whole(int in, int out);
struct resizer;
struct resizer *resizer_begin(const struct plane *in, struct plane *out, enum interpolation,
                              bool antialias, const struct stretch *x, const struct stretch *y);
void resizer_rows(struct resizer *, int y0, int y1);
/* A resize of a part of an image that returns exactly the bytes that plane_resize makes there, from
 * the smallest sufficient part of the source. */
struct resize_part {
    struct frame in, whole; /* of the whole source and of its whole result */
    struct rect part;       /* the part of the result to make: inside `whole`, at least one pixel */
    enum interpolation interpolation;
    bool antialias;
};
/* Returns the pixels of the source that resizer_begin_part reads. */
struct rect resize_takes(const struct resize_part *);
/* Begins the resize. `in` is a part of the source that contains resize_takes; its first pixel is
 * pixel (left, top) of the whole source. */
struct resizer *resizer_begin_part(const struct resize_part *, const struct plane *in, int left,
                                   int top, struct plane *out);
/* Begins a resize by means instead of a filter. An output pixel is the mean of `across` x `down`
 * samples, spread evenly over it, each blended bilinearly from four pixels. The outermost pixels
 * continue for one pixel outside their centers; samples farther outside are 0, alpha too.
 * (RoIAlign: He et al., Mask R-CNN, 2017; the border as in torchvision's roi_align.) */
struct resizer *resizer_begin_align(const struct plane *in, struct plane *out,
                                    const struct stretch *x, const struct stretch *y, int across,
                                    int down);
void resizer_end(struct resizer *);
/* Returns the source index of an output index for nearest: min(floor((k + .5) * in / out), in - 1).
 * The product is in single precision, as in torchvision's nearest-exact. */
int32_t resize_index(int k, int in, int out);

/* Replaces each color sample by an entry of a table: 256 (u8) or 65536 (u16) entries of the plane's
 * type for each color channel, channel after channel. Alpha is copied. In place allowed. Not for
 * float. */
void plane_table(const struct plane *in, struct plane *out, const void *table);
/* Replaces each color sample by (level & keep) ^ flip. This covers inversions, posterizations and
 * constant channels, and is faster than plane_table. In place allowed. Not for float. */
struct sample_bits {
    uint16_t keep[3], flip[3]; /* one per color channel; gray uses the first */
};
void plane_bits(const struct plane *in, struct plane *out, const struct sample_bits *);

/* Counts the pixels of a mask whose label is not one of the n in `except`, row by row, and returns
 * the count. It stops at a count of k + 1. Then (x, y) is set to the last pixel counted. Not for
 * float. */
uint64_t plane_labels(const struct plane *, const int32_t *except, int n, uint64_t k, int *x,
                      int *y);
/* Returns the number of different labels in a window of a mask, without the label `except` (-1:
 * count all labels). The window must be inside the mask. `all` is set to the number of pixels with
 * these labels, `max_count` to the number of pixels with the most frequent one. Not for float. */
int plane_label_counts(const struct plane *, struct rect, int except, uint64_t *all,
                       uint64_t *max_count);

/* A function of a pixel's colors. It is called with `n` pixels at a time, one array per color, on
 * the 0..255 scale, and writes its results in place; they need not be clamped.
 *
 * plane_colour applies it to a plane. In place allowed. Planes of fewer than three colors are
 * copied unchanged if `out` has as many. `out` may have other channels than `in`: one color takes
 * the first result; three colors from gray get three equal ones. `out` may have alpha only if `in`
 * has; alpha is then copied. For u8, colour_by_matrix, colour_luma and colour_saturate use fixed
 * point: values within an eighth of a level of a half may be rounded the other way. */
typedef void colour_fn(const void *context, float *restrict r, float *restrict g, float *restrict b,
                       int n);
void plane_colour(const struct plane *in, struct plane *out, colour_fn *, const void *context);

/* A function of a pixel's colors and position: of the n <= PLACE_PIECE pixels of row y that begin
 * at x. Colors are as for colour_fn. Gray is passed as three equal colors, and the first result is
 * used. `in` and `out` have the same channels. In place allowed. */
enum { PLACE_PIECE = 256 };
typedef void place_fn(const void *context, int x, int y, float *restrict r, float *restrict g,
                      float *restrict b, int n);
void plane_colour_at(const struct plane *in, struct plane *out, place_fn *, const void *context);

/* colour_same leaves colors unchanged; plane_colour uses it to expand gray. colour_permute reorders
 * the channels; the context is `int from[3]`. colour_luma writes luma to all channels, by weights
 * that sum to 1, so that white stays white in 16 bits too (torchvision's 0.2989 is 0.299 of ITU-R
 * BT.601, truncated). */
colour_fn colour_same, colour_permute, colour_luma;

/* A linear function of colors on the 0..255 scale: R' = m[0][0] R + m[0][1] G + m[0][2] B +
 * m[0][3], and so on for G' and B'. colour_by_matrix is the colour_fn whose context is the matrix.
 */
struct colour_matrix {
    float m[3][4];
};
void colour_by_matrix(const void *context, float *restrict r, float *restrict g, float *restrict b,
                      int n);
/* Blends a pixel with its luma 0.2989 R + 0.587 G + 0.114 B, rounded down: factor 0 gives gray, 1
 * changes nothing. The context is `float factor`. */
colour_fn colour_saturate;

/* Replaces each sample v of a u8 plane of one channel, in place, by factor * v + offset, clamped to
 * lo..hi (in 0..255) and rounded. */
struct level_line {
    float factor, offset, lo, hi;
};
void plane_line(struct plane *, const struct level_line *);

/* Adds per[0] (cb - 128) + per[1] (cr - 128) to a u8 plane of luma, in place. Each pixel of the
 * chroma planes covers 1 or 2 pixels of luma in each direction. */
void plane_add_chroma(struct plane *luma, const struct plane *cb, const struct plane *cr,
                      const float per[2]);

/* Mixes two u8 planes of chroma, in place; 128 is neutral: cb' - 128 = m[0][0] (cb - 128) + m[0][1]
 * (cr - 128), and cr' from m[1] in the same way. */
void plane_mix_chroma(struct plane *cb, struct plane *cr, const float m[2][2]);

/* Converts a luma plane and its two chroma planes, all u8, to RGB (JFIF, ITU-R BT.601). Chroma
 * planes have per_x, per_y pixels per pixel of luma and are interpolated. rgb has luma's frame. */
void plane_of_ycc(const struct plane *luma, const struct plane chroma[2], double per_x,
                  double per_y, struct plane *rgb);

/* Convolves separably with odd kernels x[nx], y[ny] that sum to 1. Borders are mirrored without
 * repeating the edge, several times if the kernel is larger than the plane. Alpha is copied. The
 * sums are in single precision and rounded once. For u8, symmetric kernels may use fixed point:
 * values within a quarter of a level of a half may be rounded the other way. */
void plane_convolve(const struct plane *in, struct plane *out, const float *x, int nx,
                    const float *y, int ny);

/* The content that replaces a rectangle. */
enum paint_method {
    PAINT_FILL,
    PAINT_RANDOM,
    PAINT_RANDOM_UNIFORM,
    PAINT_INPAINT_TELEA,
    PAINT_INPAINT_NS,
};

/* Paints the rectangle [x, x+w) x [y, y+h), clipped to the plane, in place. The color channels get
 * the fill, or with `noise` uniform random values. These depend only on (key, x, y, channel), with
 * x and y relative to the rectangle's corner. Alpha is unchanged. */
void plane_paint(struct plane *, int x, int y, int w, int h, const struct fill *, bool noise,
                 uint32_t key);
/* Returns a color that is uniform over the full range in each channel and depends only on (key,
 * channel). */
struct fill fill_random(enum pixel_type, uint32_t key);
/* Fills rectangles, clipped to the plane, in place from the pixels around them, by one of the two
 * inpainting methods, with a radius of 3. Black if the rectangles cover the whole plane. Alpha is
 * unchanged. */
void plane_inpaint(struct plane *, const struct rects *, enum paint_method);

/* Writes the weighted sum of n planes: all channels alike, alpha too, in single precision, rounded
 * once. Frames, channels and types are equal. In place allowed. */
void plane_blend(const struct plane *in, const float *weight, size_t n, struct plane *out);

/* Sets all pixels to the fill, alpha too. */
void plane_fill(struct plane *, const struct fill *);
/* Draws a plane on a canvas in place, with its first pixel at (left, top), clipped to the canvas.
 * With an opacity of 0..1 below 1, the canvas shows through with the weight (1 - opacity), as by
 * plane_blend. Channels and types are equal. */
void plane_draw(const struct plane *in, struct plane *canvas, int left, int top, double opacity);

/* Draws an RGBA plane over a u8 or u16 canvas in the same way, in place. The plane is PIXEL_F32:
 * red, green and blue on the 0..255 scale times alpha, and alpha in 0..1. A gray canvas shows its
 * luma. */
void plane_overlay(const struct plane *, struct plane *canvas, int left, int top, double opacity);
/* Converts a u8 or u16 plane to such a plane of the same size. */
void plane_premultiply(const struct plane *in, struct plane *out);

/* Draws a plane on a canvas as plane_draw does, with a weight per canvas pixel instead of one
 * opacity. `weight` has the canvas's size and one channel of floats in 0..1. */
void plane_draw_weighted(const struct plane *in, struct plane *canvas, int left, int top,
                         const struct plane *weight);
/* Writes such weights, of canvas size: `opacity` where the bitmap (rows of `stride` bytes) has
 * ones, otherwise 0. Feathered weights are blurred by a Gaussian kernel of 5 pixels and sigma 2, as
 * in torchvision's SimpleCopyPaste. `scratch` is another plane of the same kind. */
void plane_weights(const uint8_t *bitmap, size_t stride, double opacity, bool feathered,
                   struct plane *scratch, struct plane *weight);

/* Blends a plane of two or four channels over a color by its alpha, rounded to nearest. `out` has
 * one channel less: no alpha. */
void plane_flatten(const struct plane *in, const struct fill *, struct plane *out);

/* Adds an opaque alpha channel: `out` has one channel more than `in`. */
void plane_make_opaque(const struct plane *in, struct plane *out);

/* Replaces random pixels, or with `per_channel` random color samples, each with the probability
 * `chance` (0..1). The new value is the fill, or with `random` uniform over the full range; it
 * depends only on (key, x, y, channel). The same pixels are replaced in planes of any type and
 * number of channels. Alpha is unchanged. */
struct speckle {
    double chance;
    uint32_t key;
    bool per_channel, random;
    struct fill fill;
};
void plane_speckle(const struct plane *in, struct plane *out, const struct speckle *);

/* Returns the sum over all pixels of floor(0.2989 R + 0.587 G + 0.114 B), on the plane's own scale;
 * for planes of one color, the sum of the values. Exact for u8 and u16, so that the sums of the
 * parts of a plane add up to the sum of the plane. */
double plane_luma_sum(const struct plane *);

/* plane_histogram adds to `counts` how many pixels have each level of each color channel: 256 (u8)
 * or 65536 (u16) counts per channel, channel after channel. plane_counts returns the number of
 * counts for all channels. Not for float. */
size_t plane_counts(const struct plane *);
void plane_histogram(const struct plane *, uint32_t *counts);

/* Sums over pixels: of each color, and of the product of each two colors, on the plane's own scale.
 * Planes of one color only use index 0. Sums are integers, so that the parts of a plane add up;
 * exact for up to 2^32 pixels in all. */
struct colour_sums {
    uint64_t n, colour[3], product[3][3]; /* product[i][j] for i <= j */
};
/* Adds the pixels of a plane to the sums. Not for float. */
void plane_colour_sums(const struct plane *, struct colour_sums *);

/* Copies the pixels of `in` to `out`, which has the same frame, channels and type. */
void plane_copy(const struct plane *in, struct plane *out);

/* Writes factor * v + offset for each channel. The types of `in` and `out` may differ; integers are
 * rounded and clamped. */
struct plane_lines {
    float factor[4], offset[4];
};
void plane_convert_lines(const struct plane *in, struct plane *out, const struct plane_lines *);

/* Converts samples to another type by full range (u16 to u8: value / 257, rounded). Frames and
 * channels are equal. */
void plane_convert(const struct plane *in, struct plane *out);
