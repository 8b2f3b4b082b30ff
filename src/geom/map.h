/* map: moves points and outlines by a map, either a matrix or a field. */
#pragma once

#include "geom/field.h"
#include "geom/polygon.h"

/* Returns the inverse map. It moves points and outlines, but not masks: it has no col and row. A
 * field must not fold. */
struct map map_invert(const struct map *);
struct point map_apply(const struct map *, struct point);
bool map_is_identity(const struct map *);
/* True if the map sends axis-aligned boxes to axis-aligned boxes. */
bool map_is_axis_aligned(const struct map *);
/* Returns the factor by which the map multiplies areas at p; negative if it mirrors, which no field
 * does. */
double map_scale_at(const struct map *, struct point p);
/* Returns map_scale_at at the center of the frame. */
double map_scale(const struct map *, struct frame in);

/* Move outlines. A field bends edges: points are added until the error is at most about 0.05
 * pixels. */
void map_ring(struct arena *, const struct map *, struct ring *);
void map_rings(struct arena *, const struct map *, struct rings *);
/* Moves every point of moved outlines back to where it came from, in place. */
void map_rings_back(const struct map *, struct rings *);
/* Moves convex rings so that they stay convex: under a field, each is split into triangles. */
void map_convex(struct arena *, const struct map *, struct rings *);

/* Returns the new canvas, unbounded on sides that nothing of the old canvas crosses. */
struct box map_kept(const struct map *, struct frame in, struct frame out);
