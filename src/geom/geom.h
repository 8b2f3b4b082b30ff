/* geom: points, frames, boxes and matrices, by value.
 *
 * Points are continuous, with x to the right and y down. Pixel (i, j) (row i, column j) covers [j,
 * j+1) x [i, i+1). Only rle and pixels use indices. */
#pragma once

#include "base/base.h"

struct point {
    double x, y;
};

/* The size of a canvas, in pixels; as a region it is [0, width] x [0, height]. */
struct frame {
    int width, height;
};

/* [x0, x1] x [y0, y1]; empty when x1 <= x0 or y1 <= y0. */
struct box {
    double x0, y0, x1, y1;
};

/* Whole pixels: columns [x, x + w), rows [y, y + h). */
struct rect {
    int x, y, w, h;
};

struct rects {
    const struct rect *at;
    size_t n;
};

/* An upright rectangle, turned clockwise about its center by an angle in degrees: the region that a
 * picture of one object shows. */
struct region {
    struct point center, size;
    double angle;
};

/* Row-major 3x3 matrix: maps (x, y, 1) to (X, Y, W), which is the point (X/W, Y/W). The last row of
 * an affine map is 0 0 1. */
struct mat3 {
    double m[9];
};

/* Coordinates that are nearer to a canvas edge than this, in pixels, may count as on the edge: far
 * below any label's precision. If the rounding is known to be less (mat3_rounding), that is the
 * limit. */
#define EDGE_SLACK 1e-6

#define MAT3_IDENTITY ((struct mat3){ { 1, 0, 0, 0, 1, 0, 0, 0, 1 } })

bool frame_equal(struct frame, struct frame);

struct box box_of_frame(struct frame);
struct box box_intersect(struct box, struct box);
struct box box_of_rect(struct rect);
bool box_is_empty(struct box);
/* Stores the corners in the order (x0, y0), (x1, y0), (x1, y1), (x0, y1). */
void box_corners(struct box, struct point corner[4]);
double box_area(struct box);         /* 0 when empty */
struct point box_extent(struct box); /* width and height; may be negative for an empty box */
/* True if inner is inside outer, within a tolerance of `slack` pixels on each side. */
bool box_contains(struct box outer, struct box inner, double slack);
/* True if `inner`, which may itself be smaller than the slack, is inside outer: then its center
 * decides, without slack. */
bool box_contains_small(struct box outer, struct box inner, double slack);
/* Returns the bounding box of n points; an empty box at the point for n = 1, and at (0, 0) for n =
 * 0. */
struct box box_of_points(const struct point *, size_t n);

/* Returns the bounding box of `box` minus n others; empty if they cover it. */
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

/* Applies the map to n points, in place. */
void mat3_apply_all(const struct mat3 *, struct point *, size_t n);
/* Returns the map that applies `first`, then `then`. */
struct mat3 mat3_then(const struct mat3 *first, const struct mat3 *then);
/* Inverts a map. False if there is no inverse. */
bool mat3_invert(const struct mat3 *, struct mat3 *inverse);
bool mat3_is_identity(const struct mat3 *);
/* True if the map sends axis-aligned boxes to axis-aligned boxes (shift, scale, flip, quarter
 * turn). */
bool mat3_is_axis_aligned(const struct mat3 *);
/* True if the map sends each pixel to a whole pixel: a quarter turn or none, perhaps mirrored, and
 * a shift by whole pixels. */
bool mat3_is_placement(const struct mat3 *);
double radians(double degrees);
/* Returns torchvision's affine matrix (input to output): translate * center * rotate(a) * scale *
 * shear * -center, with +a clockwise on the screen. See torchvision's _get_inverse_affine_matrix.
 */
struct mat3 mat3_affine(double degrees, double tx, double ty, double scale, double shear_x,
                        double shear_y, struct point centre);
/* Returns where torchvision's center_crop of `out` pixels begins in a line of `in` pixels. If `out`
 * is larger, the result is negative; as many pixels, or one more, are missing at the end. */
int center_crop_begin(int in, int out);

/* Finds the map that sends four points, no three of them collinear, to four others. A map that is
 * affine but for rounding becomes exactly affine. False if there is none. (Heckbert, Fundamentals
 * of Texture Mapping and Image Warping, 1989, 2.2.3.) */
bool mat3_of_corners(const struct point from[4], const struct point to[4], struct mat3 *);
/* True if three of the four points are collinear, or two of them coincide. */
bool corners_are_flat(const struct point[4]);
/* True if the whole box is on one side of the map's horizon, the line that the map sends to
 * infinity. Then each point of the box is sent to one point. Always true for an affine map. */
bool mat3_sees(const struct mat3 *, struct box);
/* True if n points and everything between them are on one side of the horizon; true for no points.
 */
bool mat3_sees_all(const struct mat3 *, const struct point *, size_t n);
/* Returns a bound, in pixels, for the rounding error of a coordinate when a chain of a few such
 * maps moves points of a box. mat3_sees must be true for the box. */
double mat3_rounding(const struct mat3 *, struct box);
/* Returns the factor by which the map multiplies areas at p, negative if it mirrors: the
 * determinant of the Jacobian. */
double mat3_scale_at(const struct mat3 *, struct point p);

/* Returns the source point whose pixel a label (mask, RLE) takes for the output pixel (x, y): the
 * one under the output pixel's center. Every nearest-neighbor loop calls this, so that all targets
 * agree. */
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

/* The way an op moves coordinates. Points and outlines move by `forward`. Labels are sampled
 * backwards: by index if whole rows and columns move (crop, pad, flips, quarter turns, resize),
 * else by `inverse` at pixel centers. With a field, the field alone is the map; see map.h. */
struct map {
    struct mat3 forward, inverse;
    const struct field *field; /* or NULL; if set, only `inverted` matters besides */
    bool inverted;             /* the map is the field's inverse: from the canvas to the source */
    /* Both NULL; or the output pixel (x, y) takes the source pixel (col[x], row[y]), with `swap`
     * (col[y], row[x]). -1 means outside. col has one entry per output column (with swap: per row),
     * row the others. Each is monotone where it is not -1. */
    const int32_t *col, *row;
    bool swap;
    /* The image's pixels are interpolated under this map, so that positions are not rounded to
     * whole pixels. */
    bool blends;
};
