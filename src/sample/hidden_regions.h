/* hidden_regions: what hides objects, and where an image shows itself: convex regions of the
 * canvas. For the files of this folder. */
#pragma once

#include "geom/map.h"

/* Moves convex rings, which stay convex, from the frame `in` to `out`. A field makes many of each;
 * where all come to more than HOLES_MOST, they are moved as a mask, pixel by pixel, and become
 * rectangles of whole pixels. */
enum { HOLES_MOST = 1 << 14 };
void holes_move(struct arena *, const struct map *, struct frame in, struct frame out,
                struct rings *);
