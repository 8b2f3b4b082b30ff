/* grid: displacements at a few nodes, and the field that they stand for. */
#pragma once

#include "geom/field.h"

/* rows x columns nodes (each 2 or more) from corner to corner of a canvas, displaced by dx and dy
 * pixels, row after row. */
struct grid {
    int rows, columns;
    double *dx, *dy;
};

/* How nodes are joined. */
enum between {
    BETWEEN_LINEAR,    /* bilinear in each cell */
    BETWEEN_CUBIC,     /* Catmull and Rom's spline along x and y; straight on beyond the border */
    BETWEEN_THIN_PLATE /* the surface through all nodes that bends the least (Bookstein 1989) */
};

/* In the arena; NULL when the thin plate has no solution (nodes too close for its arithmetic). */
const struct field *grid_field(struct arena *, struct frame, const struct grid *, enum between);

/* Multiply all displacements; they become whole thousandths of a pixel. */
void grid_scale(const struct grid *, double x, double y);
/* Make all displacements smaller, in proportion, until BETWEEN_LINEAR folds nowhere. */
void grid_unfold(const struct grid *, struct frame);
