/* grid: displacements at a few nodes, and the field that they define. */
#pragma once

#include "geom/field.h"

/* rows x columns nodes (each 2 or more) from corner to corner of a canvas, displaced by dx and dy
 * pixels, row-major. */
struct grid {
    int rows, columns;
    double *dx, *dy;
};

/* The surface through the nodes. */
enum grid_surface {
    GRID_LINEAR,    /* bilinear in each cell */
    GRID_CUBIC,     /* Catmull and Rom's spline along x and y; straight on beyond the border */
    GRID_THIN_PLATE /* the surface through all nodes that bends the least (Bookstein 1989) */
};

/* Returns the field, in the arena; NULL if the thin plate has no solution (nodes too close for
 * double precision). */
const struct field *grid_field(struct arena *, struct frame, const struct grid *,
                               enum grid_surface);

/* Multiplies all displacements, and rounds them to thousandths of a pixel. */
void grid_scale(const struct grid *, double x, double y);
/* Reduces all displacements, in proportion, until GRID_LINEAR folds nowhere. */
void grid_unfold(const struct grid *, struct frame);
