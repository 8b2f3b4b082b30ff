/* rle: COCO's run-length masks.
 *
 * A mask of `height` rows and `width` columns is written column by column (down each column, then
 * the next to the right) as runs of alternating 0 and 1; the first run is zeros and may be 0 long.
 * The runs sum to height x width. Canonical: no run but the first is 0, and the all-zero mask is
 * the one run [height*width]; a run past 2^32-1 is written as 2^32-1, 0 and the rest, which only
 * frames of more pixels can need. Functions return canonical masks whose runs live in the arena.
 * Sums are 64-bit. The semantics of polygons, strings, merge and IoU are those of the COCO API's
 * maskApi, bit for bit, without its memory defects. */
#pragma once

#include "base/arena.h"
#include "geom/geom.h"
#include "geom/polygon.h"

struct rle {
    int height, width;
    uint32_t *run;
    size_t n;
};

/* Do the runs sum to height x width, with both sides positive? */
bool rle_is_valid(const struct rle *);
/* The number of pixels that are 1. */
uint64_t rle_area(const struct rle *);
/* The smallest box of whole pixels around the ones; {0,0,0,0} when there are none. */
struct box rle_bounds(const struct rle *);
bool rle_equal(const struct rle *, const struct rle *);
/* The same mask with zero-length runs joined away; the same runs where there are none. */
struct rle rle_canonical(struct arena *, const struct rle *);

/* COCO's compressed string ("counts" as text). False for a string that is unterminated, has other
 * characters than '0'..'o', has a negative or too large run, or does not sum to height x width. */
bool rle_from_string(struct arena *, struct slice, int height, int width, struct rle *out);
char *rle_to_string(struct arena *, const struct rle *);

/* From and to a bitmap of rows of `stride` bytes, 0 or not 0. */
struct rle rle_from_bitmap(struct arena *, const uint8_t *, size_t stride, struct frame);
void rle_to_bitmap(const struct rle *, uint8_t *, size_t stride);

/* From a picture of labels, which is given column by column, left to right: mask i of n is where
 * the label is i; other labels belong to none. All of it lives in the arena. */
struct rle_labels;
struct rle_labels *rle_labels_begin(struct arena *, struct frame, size_t n);
void rle_labels_column(struct rle_labels *, const uint32_t *label);
void rle_labels_end(struct rle_labels *, struct rle *masks);

/* The mask as whole rectangles that do not overlap: of neighbouring columns whose ones stand in the
 * same rows, one. */
struct rects rle_to_rects(struct arena *, const struct rle *);

/* Rings to a mask, each even-odd, joined by OR: equal to maskApi's rleFrPoly and rleMerge. Points
 * may lie anywhere finite; they are clipped near the frame first, which changes no pixel. */
struct rle rle_from_rings(struct arena *, const struct rings *, struct frame);
/* The outlines of a mask along pixel edges: outer rings, and holes marked in `hole` (one flag a
 * ring, in the arena). The even-odd sum of all rings is the mask; diagonal neighbours are two
 * rings. */
struct rings rle_to_rings(struct arena *, const struct rle *, bool **hole);

/* Union (intersect = false) or intersection of n masks of one size; 0 x 0 when sizes differ. */
struct rle rle_merge(struct arena *, const struct rle *, size_t n, bool intersect);
/* What of a mask is not in another one; 0 x 0 when sizes differ. */
struct rle rle_without(struct arena *, const struct rle *, const struct rle *without);
/* maskApi's IoU: intersection over union, over the area of `dt` alone when gt is a crowd.
 * -1 for masks of different sizes (0 when even their bounds have nothing in common). */
double rle_iou(const struct rle *dt, const struct rle *gt, bool gt_is_crowd);

struct rle rle_transpose(struct arena *, const struct rle *);
/* Moved by a map: run by run where it has col and row, else through a raster the size of the
 * result's bounding box. Equal to moving the bitmap by the same map: out(x, y) is the bit at the
 * source pixel that col/row, floor(field_centre(x, y)) or floor(mat3_apply_centre(inverse, x, y))
 * names, 0 from outside. */
struct rle rle_move(struct arena *, const struct rle *, const struct map *, struct frame out);
/* The latest of the moves that a mask goes through, one after another, and those before it. */
struct rle_moves {
    const struct rle_moves *before; /* NULL: it is the first */
    const struct map *map;
    struct frame in, out;
};
/* The mask that all of the moves lead to, looked up once: each pixel's centre goes back through the
 * maps, without being rounded to pixels between them, and what is outside of a frame on its way is
 * 0. Of one move, that is rle_move. */
struct rle rle_move_through(struct arena *, const struct rle *, const struct rle_moves *last);
/* Where in a mask's frame a point of another one is found, which it changes to that; false:
 * nowhere.
 */
typedef bool find_fn(const void *context, struct point *);
/* The mask of `out` whose pixels are those of the region (whole pixels of it) at whose centres `m`,
 * interpolated between the centres of its pixels, is at least one half: an outline that was moved
 * pixel by pixel returns nearer to where it was than by the nearest pixels. */
struct rle rle_sampled(struct arena *, const struct rle *m, struct frame out, struct box region,
                       find_fn *, const void *context);
/* rle_bounds and rle_area of what rle_move makes; a box in a field is counted without making it. */
struct box rle_moved_bounds(const struct rle *, const struct map *, struct frame out,
                            uint64_t *area);
/* How many of the mask's pixel centres the map sends into the region, whose sides may be endless.
 */
uint64_t rle_area_within(const struct rle *, const struct map *, struct box region);
/* The share (0..1) of them, 1 of an empty mask, by asking for `most` of them or a few more, evenly
 * spread. */
double rle_share_within(const struct rle *, const struct map *, struct box region, uint64_t most);
