/* polygon: rings of points: area, bounds, and exact clipping.
 *
 * A ring is closed (its last point joins its first) and not repeated at its end; winding does not
 * matter, inside is even-odd. Several rings are joined (OR), as COCO has it. Results live in the
 * arena; inputs are never changed. Coordinates: see geom.h. */
#pragma once

#include "base/arena.h"
#include "geom/geom.h"

struct ring {
    struct point *at;
    size_t n;
    bool cut; /* it is what a cut left of another ring: an edge of a box or hole is part of it */
};

struct rings {
    struct ring *ring;
    size_t n;
};

/* Shoelace area, never negative; 0 for fewer than three points. */
double ring_area(const struct ring *);
/* The sum of the rings' areas: what COCO writes as a polygon annotation's area. */
double rings_area(const struct rings *);
/* The smallest box around all points; an empty box at 0, 0 when there are none. */
struct box rings_bounds(const struct rings *);
double ring_perimeter(const struct ring *);
/* Even-odd; a point on the edge may be either. */
bool ring_contains(const struct ring *, struct point);

/* The part of a ring inside a box, exactly: several rings where the cut leaves several pieces, no
 * bridges along the box's edge, no zero-area slivers. A self-crossing ring keeps its even-odd
 * inside: pieces that would lie over each other stay one ring. Rings not cut keep their points to
 * the bit, however odd they are; of cut ones, pieces of no area are dropped, and the others are
 * marked as cut. */
struct rings ring_clip(struct arena *, const struct ring *, struct box);
struct rings rings_clip(struct arena *, const struct rings *, struct box);

/* What of the rings lies outside of n boxes, exactly: several rings where a box leaves several
 * pieces. A ring around a box is cut in two between two columns of pixels, so that none has a hole.
 * Rings that no box takes anything from stay as they are, to the bit; their points are shared with
 * `r`. There may be many boxes: a piece is compared only with the boxes that it meets, from its
 * middle outwards. */
struct rings rings_subtract(struct arena *, const struct rings *r, const struct box *, size_t n);

/* Several rings in one, tied by a bridge walked to and fro, which encloses nothing. */
struct ring rings_tied(struct arena *, const struct rings *);

/* Does one ring lie inside, or cross, another one, so that joining them (OR) would not be their
 * even-odd sum? (Then they are no COCO polygon any more but must become RLE.) */
bool rings_overlap(const struct rings *);

/* The rings of both, which they share. */
struct rings rings_both(struct arena *, const struct rings *, const struct rings *);

/* The share (0..1) of the rings' area that lies under at least one of the convex rings in `over`;
 * 0 when the area is 0. */
double rings_covered(const struct rings *, const struct rings *over);

/* Is the centre of a pixel inside? Only those are asked for whose pixel lies in the frame. */
bool ring_covers_centre(const struct ring *, struct frame);

/* The same rings with fewer points: each one that is left out lies within the tolerance, in pixels,
 * of the line between those that stay before and behind it, so no point of the old outline is
 * farther than that from the new one. A ring that would have no area stays as it is. */
struct rings rings_simplified(struct arena *, const struct rings *, double tolerance);
/* The points of all rings. */
size_t rings_points(const struct rings *);

/* A box as a ring of four points, from (x0, y0) clockwise on the screen. */
struct ring ring_of_box(struct arena *, struct box);
struct ring ring_copy(struct arena *, const struct ring *);
struct rings rings_copy(struct arena *, const struct rings *);
/* Move every point, in place. */
void rings_apply(struct rings *, const struct mat3 *);

/* Has a piece of a ring no more area than rounding of that ring's coordinates makes? A ring that
 * crosses itself may sum to nothing and have some (a bow tie): then it has length on some line
 * through it. */
bool ring_is_sliver(const struct ring *, const struct ring *of);
