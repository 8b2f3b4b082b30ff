/* geom: points, frames, boxes and matrices, by value.
 *
 * Coordinates, in one sentence: points are continuous, x to the right and y down, and pixel (i, j)
 * (row i, column j) covers [j, j+1) x [i, i+1). Indices exist only in rle and in pixels. */
#pragma once

#include "base/base.h"

struct point {
    double x, y;
};

/* The canvas of an image, in pixels; as a region it is [0, width] x [0, height]. */
struct frame {
    int width, height;
};

/* [x0, x1] x [y0, y1]; empty when x1 <= x0 or y1 <= y0. */
struct box {
    double x0, y0, x1, y1;
};

/* Whole pixels: columns x to x + w, rows y to y + h. */
struct rect {
    int x, y, w, h;
};

struct rects {
    const struct rect *at;
    size_t n;
};

/* An upright rectangle, turned clockwise about its middle by an angle in degrees: the region that a
 * picture of one object shows. */
struct region {
    struct point center, size;
    double angle;
};

/* Row-major 3x3: maps (x, y, 1) to (X, Y, W), the point (X/W, Y/W). An affine map has 0 0 1 below.
 */
struct mat3 {
    double m[9];
};

/* Coordinates nearer to a canvas edge than this may count as on it, in pixels: far below any
 * label's precision. Where rounding is known to be less (mat3_rounding), they count as on it when
 * they are nearer than that. */
#define EDGE_SLACK 1e-6

#define MAT3_IDENTITY ((struct mat3){ { 1, 0, 0, 0, 1, 0, 0, 0, 1 } })

bool frame_equal(struct frame, struct frame);

struct box box_of_frame(struct frame);
struct box box_intersect(struct box, struct box);
struct box box_of_rect(struct rect);
bool box_is_empty(struct box);
/* From (x0, y0) on by (x1, y0), (x1, y1), (x0, y1). */
void box_corners(struct box, struct point corner[4]);
double box_area(struct box);         /* 0 when empty */
struct point box_extent(struct box); /* width and height; of an empty one perhaps below 0 */
/* Is inner inside outer, give or take `slack` pixels on each side? */
bool box_contains(struct box outer, struct box inner, double slack);
/* The same of a box that may itself be smaller than that: its middle decides, without slack. */
bool box_keeps(struct box outer, struct box inner, double slack);
/* The smallest box around n points; empty: at the point for n = 1, at (0, 0) for n = 0. */
struct box box_of_points(const struct point *, size_t n);

/* The smallest box around what of a box none of n others covers; empty when they cover it all. */
struct box box_uncovered(struct box, const struct box *over, size_t n);

static inline bool mat3_is_affine(const struct mat3 *map)
{
    return map->m[6] == 0 && map->m[7] == 0 && map->m[8] == 1;
}

static inline struct point mat3_apply(const struct mat3 *map, struct point p)
{
    const double *m = map->m;
    double u = m[0] * p.x + m[1] * p.y + m[2], v = m[3] * p.x + m[4] * p.y + m[5];

    if (!mat3_is_affine(map)) {
        double w = m[6] * p.x + m[7] * p.y + m[8];

        u /= w;
        v /= w;
    }
    return (struct point){ u, v };
}

/* The same for n points, in place. */
void mat3_apply_all(const struct mat3 *, struct point *, size_t n);
/* The map that does `first`, then `then`. */
struct mat3 mat3_then(const struct mat3 *first, const struct mat3 *then);
/* False when there is no inverse. */
bool mat3_invert(const struct mat3 *, struct mat3 *inverse);
bool mat3_is_identity(const struct mat3 *);
/* Does it send axis-aligned boxes to axis-aligned boxes (shift, scale, flip, quarter turn)? */
bool mat3_is_axis_aligned(const struct mat3 *);
/* Does it send each pixel to a whole pixel: a quarter turn or none, perhaps mirrored, and a shift
 * by whole pixels? */
bool mat3_is_placement(const struct mat3 *);
double radians(double degrees);
/* torchvision's affine matrix (input to output): translate * centre * rotate(a) * scale * shear *
 * -centre, with +a clockwise on the screen; see its _get_inverse_affine_matrix. */
struct mat3 mat3_affine(double degrees, double tx, double ty, double scale, double shear_x,
                        double shear_y, struct point centre);
/* Where torchvision's center_crop of `out` pixels begins in a line of `in`: where it is longer, it
 * begins before 0, and as much is missing at the end, or a pixel more. */
int center_crop_begin(int in, int out);

/* The map that sends four points, no three of them in a line, to four others: affine to the bit
 * when it is affine but for rounding. False when there is none. (Heckbert, Fundamentals of Texture
 * Mapping and Image Warping, 1989, 2.2.3.) */
bool mat3_of_corners(const struct point from[4], const struct point to[4], struct mat3 *);
/* Do three of the four lie in a line, or two in one place? */
bool corners_are_flat(const struct point[4]);
/* Is all of the box on one side of the line that the map sends to infinity (its horizon), so that
 * each point of it is sent to one place? Always, when it is affine. */
bool mat3_sees(const struct mat3 *, struct box);
/* The same of n points and all between them; true for none. */
bool mat3_sees_all(const struct mat3 *, const struct point *, size_t n);
/* A bound, in pixels, of what rounding adds to a coordinate when a chain of some maps such as this
 * one moves the points of a box; the box must be seen. */
double mat3_rounding(const struct mat3 *, struct box);
/* By how much it multiplies areas, negative when it mirrors: the determinant of the Jacobian, for
 * a projective map taken at p. */
double mat3_scale_at(const struct mat3 *, struct point p);

/* Which source pixel a label (mask, RLE) takes for the output pixel (x, y): the one under
 * the output pixel's centre. Every nearest-neighbour loop calls this, so that all targets agree. */
static inline struct point mat3_apply_centre(const struct mat3 *inverse, int x, int y)
{
    const double *m = inverse->m;
    double cx = x + 0.5, cy = y + 0.5;
    double u = m[0] * cx + m[1] * cy + m[2], v = m[3] * cx + m[4] * cy + m[5];

    if (m[6] != 0 || m[7] != 0 || m[8] != 1) {
        double w = m[6] * cx + m[7] * cy + m[8];

        u /= w;
        v /= w;
    }
    return (struct point){ u, v };
}

struct field; /* field.h */

/* How an op moves coordinates. Points and outlines go by `forward`; labels are sampled backwards,
 * by index where whole rows and columns move (crop, pad, flips, quarter turns, resize), else by
 * `inverse` at pixel centres. Or else all of it is what the field says: see map.h. */
struct map {
    struct mat3 forward, inverse;
    const struct field *field; /* or NULL; with one, nothing else but `inverted` counts */
    bool inverted;             /* the map is the field's inverse: from the canvas to the source */
    /* Both NULL, or: the output pixel (x, y) takes the source pixel (col[x], row[y]), with `swap`
     * (col[y], row[x]); -1 means from outside. col has as many entries as the output has columns
     * (with swap: rows), row the same. Each is monotone where it is not -1. */
    const int32_t *col, *row;
    bool swap;
    /* The image's pixels are blended by it, so that what they show is not rounded to whole ones. */
    bool blends;
};
