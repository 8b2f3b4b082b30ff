/* rle: COCO's run-length masks.
 *
 * A mask of `height` rows and `width` columns is stored by columns (down each column, from left to
 * right) as runs of alternating 0 and 1. The first run is zeros and may be 0 long. The runs sum to
 * height x width. Canonical masks have no other run of 0 pixels, and the all-zero mask is the
 * single run [height*width]. A run above 2^32-1, which takes a larger frame, is stored as 2^32-1, 0
 * and the remainder. Functions return canonical masks whose runs are in the arena. Sums are 64-bit.
 * Polygons, strings, merge and IoU behave like the COCO API's maskApi, bit for bit, without its
 * memory errors. */
#pragma once

#include "base/arena.h"
#include "geom/geom.h"
#include "geom/polygon.h"

struct rle {
    int height, width;
    uint32_t *run;
    size_t n;
};

/* True if the runs sum to height x width, and both sides are positive. */
bool rle_is_valid(const struct rle *);
/* Returns the number of pixels that are 1. */
uint64_t rle_area(const struct rle *);
/* Returns the bounding box of the ones, in whole pixels; {0,0,0,0} if there are none. */
struct box rle_bounds(const struct rle *);
bool rle_equal(const struct rle *, const struct rle *);
/* Returns the same mask with zero-length runs merged; the same runs if there are none. */
struct rle rle_canonical(struct arena *, const struct rle *);

/* Reads COCO's compressed string ("counts" as text). False if it is unterminated, has characters
 * outside '0'..'o', has a negative or too large run, or does not sum to height x width. */
bool rle_from_string(struct arena *, struct slice, int height, int width, struct rle *out);
char *rle_to_string(struct arena *, const struct rle *);

/* Convert from and to a bitmap: rows of `stride` bytes, each 0 or not 0. */
struct rle rle_from_bitmap(struct arena *, const uint8_t *, size_t stride, struct frame);
void rle_to_bitmap(const struct rle *, uint8_t *, size_t stride);

/* Converts a picture of labels, passed column by column from left to right. Mask i of n is 1 where
 * the label is i; other labels are in no mask. Everything is in the arena. */
struct rle_labels;
struct rle_labels *rle_labels_begin(struct arena *, struct frame, size_t n);
void rle_labels_column(struct rle_labels *, const uint32_t *label);
void rle_labels_end(struct rle_labels *, struct rle *masks);

/* Returns the mask as rectangles that do not overlap. Adjacent columns with ones in the same rows
 * become one rectangle. */
struct rects rle_to_rects(struct arena *, const struct rle *);

/* Converts rings, each even-odd, joined by OR, to a mask: equal to maskApi's rleFrPoly and
 * rleMerge. Points may be anywhere finite; they are clipped near the frame first, which changes no
 * pixel. */
struct rle rle_from_rings(struct arena *, const struct rings *, struct frame);
/* Returns the outlines of a mask along pixel edges: outer rings, and holes, which are marked in
 * `hole` (one flag per ring, in the arena). The even-odd sum of all rings is the mask; diagonal
 * neighbors are two rings. */
struct rings rle_to_rings(struct arena *, const struct rle *, bool **hole);

/* Returns the union (intersect = false) or intersection of n masks of one size; 0 x 0 if sizes
 * differ. */
struct rle rle_merge(struct arena *, const struct rle *, size_t n, bool intersect);
/* Returns the pixels of a mask that are not in `without`; 0 x 0 if sizes differ. */
struct rle rle_without(struct arena *, const struct rle *, const struct rle *without);
/* Returns maskApi's IoU: intersection over union, or over the area of `dt` if gt is a crowd. -1 for
 * masks of different sizes (0 if even their bounds are disjoint). */
double rle_iou(const struct rle *dt, const struct rle *gt, bool gt_is_crowd);

struct rle rle_transpose(struct arena *, const struct rle *);
/* Moves a mask by a map, run by run if the map has col and row. Otherwise, through a raster the
 * size of the result's bounding box. Equal to moving the bitmap: out(x, y) is the bit at a source
 * pixel, or 0 outside. That pixel is given by col/row, floor(field_centre(x, y)) or
 * floor(mat3_apply_centre(inverse, x, y)). */
struct rle rle_move(struct arena *, const struct rle *, const struct map *, struct frame out);
/* Moves a mask through a raster, as rle_move does where the map has no col and row. Both frames
 * and the mask must have pixels. */
struct rle rle_warp(struct arena *, const struct rle *, const struct map *, struct frame out);
/* The last of the maps that move a mask one after another, and the moves before it. */
struct rle_moves {
    const struct rle_moves *before; /* NULL for the first */
    const struct map *map;
    struct frame in, out;
};
/* Moves a mask by all moves, looking it up once. Each pixel's center goes back through the maps
 * without rounding to pixels between them, and is 0 if it leaves a frame on its way. For a single
 * move, equal to rle_move. */
struct rle rle_move_through(struct arena *, const struct rle *, const struct rle_moves *last);
/* Changes a point to the corresponding point in another mask's frame; false if there is none. */
typedef bool find_fn(const void *context, struct point *);
/* Returns the mask of `out` with those pixels of the region (whole pixels) where `m` is at least
 * one half. `m` is interpolated between its pixel centers. An outline that was moved pixel by pixel
 * returns nearer to its old place than by nearest pixels. */
struct rle rle_sampled(struct arena *, const struct rle *m, struct frame out, struct box region,
                       find_fn *, const void *context);
/* Returns rle_bounds and rle_area of the mask that rle_move would make. A box under a field is
 * counted without making the mask. */
struct box rle_moved_bounds(const struct rle *, const struct map *, struct frame out,
                            uint64_t *area);
/* Returns how many of the mask's pixel centers the map sends into the region, whose sides may be
 * infinite. */
uint64_t rle_area_within(const struct rle *, const struct map *, struct box region);
/* Returns the fraction (0..1) of the pixel centers that the map sends into the region, 1 for an
 * empty mask. Checks `max` of them, or a few more, evenly spread. */
double rle_share_within(const struct rle *, const struct map *, struct box region, uint64_t max);
