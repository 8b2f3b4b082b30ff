/* field: displacement fields: maps that no matrix can express.
 *
 * Nodes form a regular grid over the output canvas. Between nodes the displacement is bilinear;
 * outside the grid it is that at the nearest point of the grid's border. Pixels and labels use the
 * same map: the output point p shows the source point p + d(p). Points of labels move by the
 * inverse map. */
#pragma once

#include "base/arena.h"
#include "geom/geom.h"

/* An axis of nodes. Each pixel of the canvas has the node at or before its center, and the weight
 * (0..1) of the next node. */
struct field_axis {
    int n; /* nodes */
    double origin, step;
    const int32_t *node;
    const float *share;
    bool plain; /* a node on the centre of every pixel */
};

struct field {
    struct frame frame;
    struct field_axis x, y;
    const float *dx, *dy;    /* pixels; rows of nodes, the last number of each row twice */
    struct box range;        /* bounds of all displacements: [x0, x1] x [y0, y1] */
    struct arena *arena;     /* owns everything here */
    struct field_tree *tree; /* of the cells, built when first needed; see field_inverse.c */
    /* Returns the point that shows a source point, if the field knows it exactly; the result is
     * finite. NULL: field_target searches. */
    struct point (*target)(const void *context, struct point);
    const void *target_context;
};

/* Returns a field of columns x rows nodes (each 1 or more). The first node is at `origin`; nodes
 * are `step` (above 0) apart. dx and dy are finite and row-major. Everything is allocated in the
 * arena. */
const struct field *field_make(struct arena *, struct frame, int columns, int rows,
                               struct point origin, struct point step, const float *dx,
                               const float *dy);

/* Returns the same field for dx and dy that are in the arena already, with the last number of each
 * row twice. */
const struct field *field_of_rows(struct arena *, struct frame, int columns, int rows,
                                  struct point origin, struct point step, const float *dx,
                                  const float *dy);

/* Returns the displacement, in pixels, at a point of the canvas. */
typedef struct point displace_fn(const void *context, struct point);

/* Stores displacements at n points of a horizontal line: at ((first + i) * step, y) in dx[i],
 * dy[i]. One call handles a whole line, so that a function can compute several points at once. */
typedef void displace_line_fn(const void *context, double y, double first, double step, int n,
                              float *restrict dx, float *restrict dy);

/* Returns a field that differs from a smooth function by at most about FIELD_ERROR pixels. It has
 * about as few nodes as that takes, and at most one per pixel. */
#define FIELD_ERROR 0.02
const struct field *field_sampled(struct arena *, struct frame, displace_fn *, const void *context);
const struct field *field_sampled_by_lines(struct arena *, struct frame, displace_line_fn *,
                                           const void *context);

/* Returns the source point that p shows. */
struct point field_source(const struct field *, struct point p);

/* Returns the point that shows the source point s, to about 1e-6 pixels. Where the field folds
 * there are several; the choice is deterministic. */
struct point field_target(const struct field *, struct point s);

/* Returns how many cells field_target has searched so far, because steps from a guess did not
 * converge. */
uint64_t field_cells_searched(const struct field *);

/* True if two or more points may show the same source point in the box, next to a place where the
 * field turns over. False if outlines can certainly be followed. */
bool field_folds(const struct field *, struct box);

/* Returns an empty tree for a new field. */
struct field_tree *field_tree_new(struct arena *);

/* Returns the determinant of the Jacobian of field_source: above 0 everywhere unless the field
 * folds. */
double field_jacobian(const struct field *, struct point p);
/* Returns the smallest value of the determinant inside the grid. */
double field_min_jacobian(const struct field *);

/* Returns the box that is bounded by what the outline of the canvas shows. Unless the field folds,
 * no point beyond a side of the canvas shows anything inside the same side of this box. */
struct box field_outline(const struct field *);

/* Computes displacements at the centers of the pixels [x0, x1) of row y. This is a pure function of
 * the pixel, in single precision: all callers get the same bits. It is inline, so that pixel loops
 * compile it for their processor. `line` has room for x.n + 1 numbers. */
static inline void field_line(const struct field *f, const float *d, int y, int x0, int x1,
                              float *restrict line, float *restrict to)
{
    size_t stride = (size_t)f->x.n + 1;
    const float *a = d + (size_t)f->y.node[y] * stride;
    float share = f->y.share[y];
    int first = f->x.node[x0], last = f->x.node[x1 - 1] + 1;

    if (share > 0) {
        const float *b = a + stride;

        for (int i = first; i <= last; i++)
            line[i] = a[i] + share * (b[i] - a[i]);
        a = line;
    }
    if (f->x.plain) {
        for (int x = x0; x < x1; x++)
            to[x - x0] = a[x];
        return;
    }
    for (int x = x0; x < x1; x++) {
        int32_t i = f->x.node[x];

        to[x - x0] = a[i] + f->x.share[x] * (a[i + 1] - a[i]);
    }
}

/* Returns the same numbers, without a copy if they are contiguous in the field; else they are in
 * `to`. */
static inline const float *field_row(const struct field *f, const float *d, int y, int x0, int x1,
                                     float *restrict line, float *restrict to)
{
    if (f->x.plain && f->y.share[y] <= 0)
        return d + (size_t)f->y.node[y] * ((size_t)f->x.n + 1) + x0;
    field_line(f, d, y, x0, x1, line, to);
    return to;
}

/* Returns the source point that the center of pixel (x, y) shows, which determines the source pixel
 * of a label. */
static inline struct point field_centre(int x, int y, float dx, float dy)
{
    return (struct point){ x + 0.5 + (double)dx, y + 0.5 + (double)dy };
}
