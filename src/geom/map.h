/* map: what a map does to points and outlines, whether a matrix or a field says it. */
#pragma once

#include "geom/field.h"
#include "geom/polygon.h"

/* The way back. It moves points and outlines, but no masks: it has no col and row. Only of fields
 * that do not fold. */
struct map map_invert(const struct map *);
struct point map_apply(const struct map *, struct point);
bool map_is_identity(const struct map *);
/* Does it send axis-aligned boxes to axis-aligned boxes? */
bool map_is_axis_aligned(const struct map *);
/* By how much it multiplies areas about p; negative when it mirrors, which no field does. */
double map_scale_at(const struct map *, struct point p);
/* In the middle of the frame. */
double map_scale(const struct map *, struct frame in);

/* Move outlines. A field bends edges: they get as many points as it takes to be nowhere farther
 * than about 0.05 pixels from where they belong. */
void map_ring(struct arena *, const struct map *, struct ring *);
void map_rings(struct arena *, const struct map *, struct rings *);
/* Every point of moved outlines to where it came from, in place. */
void map_rings_back(const struct map *, struct rings *);
/* Move convex rings so that they stay convex: a field makes triangles of each. */
void map_convex(struct arena *, const struct map *, struct rings *);

/* The new canvas, endless on sides where nothing of the old one leaves it. */
struct box map_kept(const struct map *, struct frame in, struct frame out);
