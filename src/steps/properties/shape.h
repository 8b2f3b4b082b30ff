/* shape: an outline as a bitmap, and how two bitmaps of it differ: for the walk of moves. */
#pragma once

#include "steps/properties/walk.h"

/* How far the middles of moved polygons and of moved masks are apart, summed over n draws. */
struct drift {
    double x, y;
    size_t n;
};

/* 1 where the centre of a pixel lies in a ring; from the pool. */
struct plane shape_paint(struct pool *, const struct rings *, struct frame);
/* A moved polygon against the mask that was moved; `scale` is by how much the map stretches
 * lengths. Adds to the drift. */
void shape_compare_vector(struct walker *, const struct rings *, const struct plane *mask,
                          double scale, struct drift *);
/* Moved RLE against the mask that was moved. */
void shape_compare_runs(struct walker *, const struct rle *, const struct plane *mask,
                        struct arena *);
