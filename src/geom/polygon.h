/* polygon: rings of points: area, bounds, and exact clipping.
 *
 * A ring is closed: its last point is joined to its first, which is not repeated. Winding does not
 * matter; the inside is even-odd. Several rings are joined (OR), as in COCO. The arena owns
 * results; inputs are never changed. For coordinates see geom.h. */
#pragma once

#include "base/arena.h"
#include "geom/geom.h"

struct ring {
    struct point *at;
    size_t n;
    bool cut; /* a piece of a ring that was cut: an edge of a box or hole is part of it */
};

struct rings {
    struct ring *ring;
    size_t n;
};

/* Shoelace area, never negative; 0 for fewer than three points. */
double ring_area(const struct ring *);
/* Returns the sum of the rings' areas, which COCO stores as the area of a polygon annotation. */
double rings_area(const struct rings *);
/* Returns the bounding box of all points; an empty box at 0, 0 if there are none. */
struct box rings_bounds(const struct rings *);
double ring_perimeter(const struct ring *);
/* Even-odd; a point on the edge may be either. */
bool ring_contains(const struct ring *, struct point);

/* Returns the part of a ring inside a box, exactly. If the cut leaves several pieces there are
 * several rings, without bridges along the box's edge and without zero-area slivers. A
 * self-crossing ring keeps its even-odd inside: pieces that would overlap stay one ring. Rings that
 * are not cut keep their points unchanged, to the bit, even if they are degenerate. Pieces of cut
 * rings without area are dropped; the others are marked as cut. */
struct rings ring_clip(struct arena *, const struct ring *, struct box);
struct rings rings_clip(struct arena *, const struct rings *, struct box);

/* Returns the part of the rings outside n boxes, exactly. If a box leaves several pieces there are
 * several rings. A ring around a box is split between two columns of pixels, so that no ring has a
 * hole. Rings that no box touches stay unchanged, to the bit, and share their points with `r`.
 * There may be many boxes: a piece is compared only with the boxes that it meets, from its center
 * outwards. */
struct rings rings_subtract(struct arena *, const struct rings *r, const struct box *, size_t n);

/* Returns several rings as one, tied by a bridge that is walked in both directions and encloses
 * nothing. */
struct ring rings_tied(struct arena *, const struct rings *);

/* True if one ring is inside another one or crosses it, so that joining them (OR) differs from
 * their even-odd sum. Such rings cannot be a COCO polygon and must become RLE. */
bool rings_overlap(const struct rings *);

/* Returns the rings of both, sharing their points. */
struct rings rings_both(struct arena *, const struct rings *, const struct rings *);

/* Returns the fraction (0..1) of the rings' area that at least one of the convex rings in `over`
 * covers; 0 if the area is 0. */
double rings_covered(const struct rings *, const struct rings *over);

/* True if the ring covers the center of a pixel of the frame. */
bool ring_covers_centre(const struct ring *, struct frame);

/* Returns the same rings with fewer points. Each point that is left out is within the tolerance, in
 * pixels, of the line between its kept neighbors. So no point of the old outline is farther than
 * the tolerance from the new one. A ring that would lose its area is not changed. */
struct rings rings_simplified(struct arena *, const struct rings *, double tolerance);
/* Returns the number of points of all rings. */
size_t rings_points(const struct rings *);

/* Returns a box as a ring of four points, from (x0, y0) clockwise on the screen. */
struct ring ring_of_box(struct arena *, struct box);
struct ring ring_copy(struct arena *, const struct ring *);
struct rings rings_copy(struct arena *, const struct rings *);
/* Moves every point, in place. */
void rings_apply(struct rings *, const struct mat3 *);

/* True if a piece of a ring has no more area than the rounding of that ring's coordinates explains.
 * The area of a self-crossing ring may sum to 0 although it covers some (a bow tie): then it has
 * length on some line through it. */
bool ring_is_sliver(const struct ring *, const struct ring *of);
