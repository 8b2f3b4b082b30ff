/* hidden_regions: convex regions of the canvas that hide objects, or where an image itself is
 * visible. For the files of this folder. */
#pragma once

#include "geom/map.h"

/* Moves convex rings, which stay convex, from the frame `in` to `out`. A field splits each into
 * many. If the total exceeds MAX_HOLE_RINGS, the rings are moved as a mask, pixel by pixel, and
 * become rectangles of whole pixels. */
enum { MAX_HOLE_RINGS = 1 << 14 };
void holes_move(struct arena *, const struct map *, struct frame in, struct frame out,
                struct rings *);
