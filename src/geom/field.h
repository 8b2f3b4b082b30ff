/* field: displacement fields: maps that no matrix says.
 *
 * Nodes lie on a regular grid over the output canvas; between them the displacement is bilinear,
 * beyond the outermost ones it stays as it is there. That is the map, for pixels and labels alike:
 * the output point p shows the source point p + d(p). Points go the other way, by its inverse. */
#pragma once

#include "base/arena.h"
#include "geom/geom.h"

/* Along one axis: the node at or before the centre of each pixel of the canvas, and the share
 * (0..1) of the one after it. */
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
    const float *dx, *dy;    /* pixels; row after row of nodes, each row with its last one twice */
    struct box range;        /* of all displacements: [x0, x1] x [y0, y1] */
    struct arena *arena;     /* that holds all of it */
    struct field_tree *tree; /* of its cells, made when first asked for; see field_inverse.c */
    /* The point that shows a source point, where it is known exactly; else NULL, and field_target
     * searches. What it gives is finite. */
    struct point (*target)(const void *context, struct point);
    const void *target_context;
};

/* A field of columns x rows nodes (each 1 or more), the first at `origin`, `step` (above 0) apart,
 * displaced by dx and dy, row after row, finite. All in the arena. */
const struct field *field_make(struct arena *, struct frame, int columns, int rows,
                               struct point origin, struct point step, const float *dx,
                               const float *dy);

/* The same of dx and dy that are in the arena already, each row with its last number twice. */
const struct field *field_of_rows(struct arena *, struct frame, int columns, int rows,
                                  struct point origin, struct point step, const float *dx,
                                  const float *dy);

/* A displacement at a point of the canvas, in pixels. */
typedef struct point displace_fn(const void *context, struct point);

/* Displacements at n points of a line across the canvas: of ((first + i) * step, y) to dx[i],
 * dy[i]. A whole line a call, so that a function can work out several points at once. */
typedef void displace_line_fn(const void *context, double y, double first, double step, int n,
                              float *restrict dx, float *restrict dy);

/* A field that is nowhere farther than about FIELD_ERROR pixels from a smooth function, by about as
 * many nodes as that needs, and no more than there are pixels. */
#define FIELD_ERROR 0.02
const struct field *field_sampled(struct arena *, struct frame, displace_fn *, const void *context);
const struct field *field_sampled_by_lines(struct arena *, struct frame, displace_line_fn *,
                                           const void *context);

/* The source point that p shows. */
struct point field_source(const struct field *, struct point p);

/* The point that shows the source point s, to 1e-6 pixels or so. Where the field folds there are
 * several: one of them, the same every time. */
struct point field_target(const struct field *, struct point s);

/* How many cells field_target has searched so far, where steps from a guess led nowhere. */
uint64_t field_cells_searched(const struct field *);

/* Are there points in the box of source points that two or more points show, next to a place where
 * the field turns over? False where it is certain that outlines can be followed. */
bool field_folds(const struct field *, struct box);

/* An empty tree for a new field. */
struct field_tree *field_tree_new(struct arena *);

/* The determinant of the Jacobian of field_source: above 0 everywhere unless the field folds. */
double field_jacobian(const struct field *, struct point p);
/* The least value of it inside of the grid. */
double field_least_jacobian(const struct field *);

/* What the outline of the canvas shows: no point beyond a side of the canvas shows what lies inside
 * of that side of this box (unless the field folds). */
struct box field_outline(const struct field *);

/* Displacements of the centres of the pixels [x0, x1) of row y. A pure function of the pixel, in
 * single precision, so that all who ask get the same bits; inline, so that pixel loops compile it
 * for their kind of processor. `line` has room for x.n + 1 numbers. */
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

/* The same without a copy where the field has these numbers side by side; else they are in `to`. */
static inline const float *field_row(const struct field *f, const float *d, int y, int x0, int x1,
                                     float *restrict line, float *restrict to)
{
    if (f->x.plain && f->y.share[y] <= 0)
        return d + (size_t)f->y.node[y] * ((size_t)f->x.n + 1) + x0;
    field_line(f, d, y, x0, x1, line, to);
    return to;
}

/* The source point that the centre of pixel (x, y) shows: which source pixel a label takes. */
static inline struct point field_centre(int x, int y, float dx, float dy)
{
    return (struct point){ x + 0.5 + (double)dx, y + 0.5 + (double)dy };
}
