/* plane: pixels in memory, and the loops over them.
 *
 * A plane is a rectangle of interleaved samples. Loops read `in` and write `out`; the two never
 * overlap unless a function says "in place". The caller allocates `out` with the frame it wants;
 * type and channels of in and out are equal (but see plane_colour). u8 and u16 results are rounded
 * to nearest and clamped. Two- and four-channel planes carry alpha as their last channel: geometry
 * moves it like colour, colour loops copy it. The loops are plain C; -ffp-contract=off keeps
 * results equal between machines. */
#pragma once

#include "base/base.h"
#include "geom/geom.h"

enum pixel_type { PIXEL_U8, PIXEL_U16, PIXEL_F32 };

struct plane {
    void *px;
    enum pixel_type type;
    int width, height, channels; /* channels 1..4, interleaved */
    size_t stride;               /* bytes from row to row */
};

/* 255 or 65535; 1 for float. */
double pixel_type_max(enum pixel_type);
int pixel_type_levels(enum pixel_type); /* entries of a table of them; not for float */
size_t pixel_type_size(enum pixel_type);
/* What 1 on the 0..255 scale of parameters is: 1, 257 or 1/255. */
double pixel_type_unit(enum pixel_type);
/* Channels without alpha: 1 for one or two, 3 for three or four. */
int plane_colours(const struct plane *);
size_t plane_bytes(const struct plane *); /* height x stride */

/* Buffers that are reused from image to image: a fresh page costs more than the work on it.
 * pool_plane gives a plane with an aligned stride whose pixels are undefined; pool_return takes it
 * back. pool_drop frees all. All zero is an empty pool. */
struct pool_buffer;
struct pool {
    struct pool_buffer *idle;
};
struct plane pool_plane(struct pool *, struct frame, int channels, enum pixel_type);
void pool_return(struct pool *, struct plane *);
void pool_drop(struct pool *);

/* The pixels [x, x + width) x [y, y + height) of a plane, as a plane: not to be returned. */
struct plane plane_part(const struct plane *, int x, int y, int width, int height);

enum interpolation {
    INTERPOLATION_NEAREST,
    INTERPOLATION_BILINEAR,
    INTERPOLATION_BICUBIC,
    INTERPOLATION_LANCZOS,
    INTERPOLATION_BOX, /* these three only resize */
    INTERPOLATION_HAMMING,
    INTERPOLATION_AREA,
};

/* What a plane shows beyond its border. */
enum padding_mode {
    PADDING_CONSTANT,
    PADDING_EDGE,
    PADDING_REFLECT,
    PADDING_SYMMETRIC,
    PADDING_WRAP,
};
/* The index of the pixel that is shown at index i of a line of n that goes on so, at both ends, for
 * ever; with PADDING_CONSTANT, -1 beyond. */
int border_index(enum padding_mode, double i, int n);

/* What comes from outside: pixel values in the plane's own scale, one per channel; unless the
 * border is PADDING_CONSTANT, warps show the plane's own pixels instead. */
struct fill {
    double channel[4];
    enum padding_mode border;
};
bool fill_equal(const struct fill *, const struct fill *);

/* Whole pixels: out(x, y) = in(col[x], row[y]), with swap in(col[y], row[x]); -1 in either takes
 * the fill. col and row as in struct map (geom.h), but need not be monotone (mirrored borders). */
void plane_remap(const struct plane *in, struct plane *out, const int32_t *col, const int32_t *row,
                 bool swap, const struct fill *);

/* A warp by the inverse matrix (output to source, continuous coordinates), NEAREST or BILINEAR.
 * NEAREST takes the source pixel under the output pixel's centre (mat3_apply_centre). BILINEAR
 * blends 4 taps; taps from outside count as the fill: sum of w * px + (1 - m) * fill, m being the
 * weight inside (torchvision weights the border twice; see its #8083). */
void plane_warp(const struct plane *in, struct plane *out, const struct mat3 *inverse,
                enum interpolation, const struct fill *);

/* Rows [y0, y1) of the same, to the bit. */
void plane_warp_rows(const struct plane *in, struct plane *out, const struct mat3 *inverse,
                     enum interpolation, const struct fill *, int y0, int y1);

/* Rows [y0, y1) of a plane sampled through a displacement field (geom/field.h), whose canvas is
 * that of out; interpolation and fill as for plane_warp, NEAREST to the bit as RLE masks are moved.
 */
void plane_displace_rows(const struct plane *in, struct plane *out, const struct field *,
                         enum interpolation, const struct fill *, int y0, int y1);

/* Half-planes of a picture: what is inside of an edge has a x + b y + c > 0, which is its distance
 * from it in pixels, (a, b) being of length 1. */
struct edge {
    double a, b, c;
};
struct edges {
    const struct edge *at;
    size_t n;
};

/* Rows [y0, y1) of a warp, affine, of what lies inside of all edges; the source's border goes on
 * outward about as far as they reach, and for a pixel more; farther outside, pixels become 0.
 * `shift`, which may be NULL, tells by how much of an output pixel (-1..1) row y stands farther
 * along. */
typedef double row_shift_fn(int y);
void plane_warp_inside(const struct plane *in, struct plane *out, const struct mat3 *inverse,
                       enum interpolation interpolation, const struct edges *, row_shift_fn *shift,
                       int y0, int y1);
/* Rows [y0, y1): what is outside of any edge gets the fill; with BILINEAR, pixels that an edge cuts
 * get a part of it, falling over one pixel. */
void plane_fill_outside(struct plane *, enum interpolation interpolation, const struct edges *,
                        const struct fill *, int y0, int y1);

/* A resize of the whole plane, separable, taps renormalised at the border: torchvision's float
 * path (torch's _upsample_bilinear2d_aa and its like): with `antialias` the filter widens by in/out
 * when shrinking. BILINEAR, BICUBIC (a = -0.5 with antialias, -0.75 without) or LANCZOS (a = 3);
 * BOX and HAMMING are Pillow's filters, of half-width 1/2 and 1. AREA is OpenCV's INTER_AREA, with
 * and without antialias, along each side by itself: means of what an output pixel covers, or where
 * the side grows neighbours blended where an output pixel reaches over the end of a source pixel.
 * Intermediate rows stay in float; rounded once at the end. BILINEAR of bytes may be in fixed
 * point, which rounds what lies within a quarter of a level of half the other way. NEAREST: use
 * plane_remap with resize_index. */
void plane_resize(const struct plane *in, struct plane *out, enum interpolation, bool antialias);
/* The same, BILINEAR, to exactly half the width and height: the means of four. */
void plane_halve(const struct plane *in, struct plane *out);
/* The same in pieces, and of a part of the source: output index k covers the source coordinates
 * from begin + k * scale on, as far as begin + (k + 1) * scale. stretch_whole is that of the whole.
 * resizer_rows makes rows [y0, y1) of out; calls go down the plane and leave no row out.
 * resizer_begin takes memory that resizer_end gives back; the planes are borrowed. */
struct stretch {
    double begin, scale; /* scale > 0; whole pixels are copied where scale is 1 and begin whole */
};
struct stretch stretch_whole(int in, int out);
struct resizer;
struct resizer *resizer_begin(const struct plane *in, struct plane *out, enum interpolation,
                              bool antialias, const struct stretch *x, const struct stretch *y);
void resizer_rows(struct resizer *, int y0, int y1);
/* To the bit a part of what plane_resize makes, of no more of the source than that takes. */
struct resize_part {
    struct frame in, whole; /* of the source as a whole, and of what all of it becomes */
    struct rect part;       /* of that, which is made; at least a pixel, and inside of it */
    enum interpolation interpolation;
    bool antialias;
};
/* The pixels of the source that it takes. */
struct rect resize_takes(const struct resize_part *);
/* `in` has them, and begins at (left, top) of the whole source. */
struct resizer *resizer_begin_part(const struct resize_part *, const struct plane *in, int left,
                                   int top, struct plane *out);
/* The same as resizer_begin with means instead of a filter: of `across` x `down` samples, evenly
 * spread over what an output pixel covers, each blended bilinearly of four pixels. Up to a pixel
 * beyond the outermost pixels' centres, those go on; samples farther out are 0, alpha too
 * (RoIAlign: He et al., Mask R-CNN, 2017; the border is torchvision's roi_align's). */
struct resizer *resizer_begin_align(const struct plane *in, struct plane *out,
                                    const struct stretch *x, const struct stretch *y, int across,
                                    int down);
void resizer_end(struct resizer *);
/* The source index that the output index takes, for nearest: min(floor((k + .5) * in / out),
 * in - 1), the product in single precision as torchvision's nearest-exact has it. */
int32_t resize_index(int k, int in, int out);

/* A table of 256 (u8) or 65536 (u16) entries of the plane's type for each colour channel, channel
 * after channel; alpha is copied. In place allowed. Not for float. */
void plane_table(const struct plane *in, struct plane *out, const void *table);
/* The same where the table of a channel is (level & keep) ^ flip, as inversions, posterizations and
 * channels of one colour are: nothing is looked up. */
struct sample_bits {
    uint16_t keep[3], flip[3]; /* of each colour channel; gray takes the first */
};
void plane_bits(const struct plane *in, struct plane *out, const struct sample_bits *);

/* A mask's pixels whose label is none of the n in `except`: those up to number k (from 0, row by
 * row), or all of them when there are no more; (x, y) is set to pixel k. Not for float. */
uint64_t plane_labels(const struct plane *, const int32_t *except, int n, uint64_t k, int *x,
                      int *y);
/* How many labels but `except` (-1: none is left out) a window inside of a mask shows; `all` is set
 * to how many pixels have them, `most` to how many have the one that most have. Not for float. */
int plane_label_counts(const struct plane *, struct rect, int except, uint64_t *all,
                       uint64_t *most);

/* A function of one pixel's colours over rows: called with `n` pixels, colour by colour, on the
 * 0..255 scale (unclamped results allowed), in place. Planes of fewer than three colours are
 * copied as they are. Of bytes, the matrix, luma and saturation below are in fixed point, which
 * rounds what lies within an eighth of a level of half the other way. In place allowed. Out may
 * have other channels than in: of one colour it takes the first colour; gray in for three colours
 * out is three equal ones. Alpha is copied if out has it, which it may only if in has. */
typedef void colour_fn(const void *context, float *restrict r, float *restrict g, float *restrict b,
                       int n);
void plane_colour(const struct plane *in, struct plane *out, colour_fn *, const void *context);

/* A function of a pixel's colours and its place: the n pixels from (x, y) on in a row, at most
 * PLACE_PIECE of them; else as colour_fn. Gray is three equal colours, of which the first counts.
 * In and out have the same channels. In place allowed. */
enum { PLACE_PIECE = 256 };
typedef void place_fn(const void *context, int x, int y, float *restrict r, float *restrict g,
                      float *restrict b, int n);
void plane_colour_at(const struct plane *in, struct plane *out, place_fn *, const void *context);

/* Colours as they are: gray becomes three colours by it. Channels that change places: the context
 * is `int from[3]`. And luma in all channels, by weights that sum to 1, so that white stays white
 * in 16 bit, too (torchvision's 0.2989 is 0.299 of ITU-R BT.601, cut). */
colour_fn colour_same, colour_permute, colour_luma;

/* A linear function of colours on the 0..255 scale: R' = m[0][0] R + m[0][1] G + m[0][2] B +
 * m[0][3], and so on. As a colour_fn, with the matrix as context: */
struct colour_matrix {
    float m[3][4];
};
void colour_by_matrix(const void *context, float *restrict r, float *restrict g, float *restrict b,
                      int n);
/* Blended with a pixel's own luma, rounded down, 0.2989 R + 0.587 G + 0.114 B: factor 0 is gray, 1
 * changes nothing. The context is `float factor`. */
colour_fn colour_saturate;

/* One channel of 8 bits in place: factor * v + offset, between lo and hi (in 0..255), rounded. */
struct level_line {
    float factor, offset, lo, hi;
};
void plane_line(struct plane *, const struct level_line *);

/* To luma, 8 bit, in place: per[0] (cb - 128) + per[1] (cr - 128); each pixel of the chroma planes
 * covers 1 or 2 of luma along and down. */
void plane_add_chroma(struct plane *luma, const struct plane *cb, const struct plane *cr,
                      const float per[2]);

/* Two planes of chroma, 8 bit, 128 being none, in place: cb' = m[0][0] cb + m[0][1] cr, ... */
void plane_mix_chroma(struct plane *cb, struct plane *cr, const float m[2][2]);

/* The colours of a luma plane and its chroma planes (JFIF, ITU-R BT.601), all of 8 bits; chroma
 * planes have per_x, per_y pixels for one of luma and are blended between. rgb has luma's frame. */
void plane_of_ycc(const struct plane *luma, const struct plane chroma[2], double per_x,
                  double per_y, struct plane *rgb);

/* Separable convolution with odd kernels x[nx], y[ny] that sum to 1; borders mirrored without
 * repeating the edge, again and again when the kernel is larger than the plane. Alpha is copied.
 * Single precision, rounded once; of bytes, symmetric kernels may be in fixed point, which rounds
 * what lies within a quarter of a level of half the other way. */
void plane_convolve(const struct plane *in, struct plane *out, const float *x, int nx,
                    const float *y, int ny);

/* What a rectangle is painted over with. */
enum paint_method {
    PAINT_FILL,
    PAINT_RANDOM,
    PAINT_RANDOM_UNIFORM,
    PAINT_INPAINT_TELEA,
    PAINT_INPAINT_NS,
};

/* A rectangle [x, x+w) x [y, y+h), clipped to the plane, painted in place: the colour channels with
 * the fill, or (noise) with uniform random values that are pure in (key, x, y, channel), where x
 * and y count from the rectangle's corner. Alpha is left alone. */
void plane_paint(struct plane *, int x, int y, int w, int h, const struct fill *, bool noise,
                 uint32_t key);
/* A colour that is uniform over the full range in each channel, pure in (key, channel). */
struct fill fill_random(enum pixel_type, uint32_t key);
/* Rectangles, clipped to the plane, filled in place from what borders on them, by one of the last
 * two methods, with a radius of 3; black where nothing of the plane is left. Alpha is left alone.
 */
void plane_inpaint(struct plane *, const struct rects *, enum paint_method);

/* The sum of n planes, each with its weight: all channels alike, alpha too; single precision,
 * rounded once. Frames, channels and types are equal. In place allowed. */
void plane_blend(const struct plane *in, const float *weight, size_t n, struct plane *out);

/* All pixels become the fill, alpha too. */
void plane_fill(struct plane *, const struct fill *);
/* A plane on a canvas, its first pixel at (left, top), as far as it lies on it; with an opacity
 * below 1, of 0..1, what is below shows through: (1 - opacity) of it, by plane_blend. Bands and
 * types are equal. */
void plane_lay(const struct plane *in, struct plane *canvas, int left, int top, double opacity);

/* A plane of PIXEL_F32, red, green and blue on the 0..255 scale times alpha, and alpha in 0..1,
 * laid the same way over a canvas of integers; gray canvases show its luma. */
void plane_overlay(const struct plane *, struct plane *canvas, int left, int top, double opacity);
/* Such a plane of one of integers, of the same size. */
void plane_premultiply(const struct plane *in, struct plane *out);

/* The same as plane_lay as far as a plane as large as the canvas, of one channel of floats, says:
 * the weight, 0..1, of what is laid. */
void plane_lay_weighted(const struct plane *in, struct plane *canvas, int left, int top,
                        const struct plane *weight);
/* Such weights, of canvas size: `opacity` at the ones of a bitmap of rows of `stride` bytes, else
 * 0; feathered, by a Gaussian kernel of 5 pixels and deviation 2, as torchvision's SimpleCopyPaste
 * has it. `scratch` is another such plane. */
void plane_weights(const uint8_t *bitmap, size_t stride, double opacity, bool feathered,
                   struct plane *scratch, struct plane *weight);

/* A plane of two or four channels over a colour, without its alpha: `out` has one channel less.
 * Rounded to nearest. */
void plane_flatten(const struct plane *in, const struct fill *, struct plane *out);

/* The other way round: `out` has alpha, all of it opaque, which `in` has not. */
void plane_make_opaque(const struct plane *in, struct plane *out);

/* Pixels, or with per_channel colour samples, that are replaced by the fill, or (random) by uniform
 * random values of the full range, each by the chance, 0..1: pure in (key, x, y, channel). Pixels
 * that are replaced are the same for planes of any type and number of channels. Alpha is left
 * alone. */
struct speckle {
    double chance;
    uint32_t key;
    bool per_channel, random;
    struct fill fill;
};
void plane_speckle(const struct plane *in, struct plane *out, const struct speckle *);

/* The sum over all pixels of floor(0.2989 R + 0.587 G + 0.114 B), on the plane's own scale; of the
 * value itself for planes of one colour. Exact for u8 and u16: parts of a plane add up. */
double plane_luma_sum(const struct plane *);

/* Add to counts how many pixels have each level of each colour channel: 256 (u8) or 65536 (u16)
 * counts a channel, channel after channel; plane_counts of them in all. Not for float. */
size_t plane_counts(const struct plane *);
void plane_histogram(const struct plane *, uint32_t *counts);

/* Sums over pixels: of each colour, and of the product of each two, on the plane's own scale; of
 * planes of one colour only what concerns the first. Integers, so that parts of a plane add
 * up; exact for up to 2^32 pixels in all. */
struct colour_sums {
    uint64_t n, colour[3], product[3][3]; /* product[i][j] for i <= j */
};
/* Add those of a plane. Not for float. */
void plane_colour_sums(const struct plane *, struct colour_sums *);

/* Copy the pixels of in to out, of the same frame, channels and type. */
void plane_copy(const struct plane *in, struct plane *out);

/* factor * v + offset for each channel, rounded and clamped where out is of integers, whose type
 * may be another than in's. */
struct plane_lines {
    float factor[4], offset[4];
};
void plane_convert_lines(const struct plane *in, struct plane *out, const struct plane_lines *);

/* A type's samples in another type, by full range (u16 to u8: value / 257 rounded). Frames and
 * channels are equal. */
void plane_convert(const struct plane *in, struct plane *out);
