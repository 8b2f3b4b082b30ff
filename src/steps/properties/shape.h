/* shape: draws an outline as a bitmap, and compares two bitmaps of it, for walk_moves. */
#pragma once

#include "steps/properties/walker.h"

/* Distance of the centroids of moved polygons and moved masks, summed over n draws. */
struct drift {
    double x, y;
    size_t n;
};

/* Returns a bitmap from the pool: 1 if the center of a pixel is inside a ring. */
struct plane shape_paint(struct pool *, const struct rings *, struct frame);
/* Compares a moved polygon with the moved mask; `scale` is the factor by which the map stretches
 * lengths. Adds to the drift. */
void shape_compare_vector(struct walker *, const struct rings *, const struct plane *mask,
                          double scale, struct drift *);
/* Compares moved RLE with the moved mask. */
void shape_compare_runs(struct walker *, const struct rle *, const struct plane *mask,
                        struct arena *);
