/* field_cell: a displacement field between its nodes; only for the field files. */
#pragma once

#include "geom/field.h"

#include <math.h>

/* A cell between four nodes, or a strip or quarter plane outside the grid (then i is -1 or n - 1).
 * Outside the grid, the displacement does not change along that axis. Points of a cell are at + (u,
 * v), in pixels, and show a + b u + c v + d u v. */
struct cell {
    struct point at, a, b, c, d;
    double u0, u1, v0, v1; /* endless beyond a side */
};

static inline int cell_index(const struct field_axis *axis, double p)
{
    double i = floor((p - axis->origin) / axis->step);

    return i >= 0 ? i < axis->n - 1 ? (int)i : axis->n - 1 : -1;
}

struct cell cell_of(const struct field *, int i, int j);

static inline double cross(struct point a, struct point b)
{
    return a.x * b.y - a.y * b.x;
}

static inline struct point cell_source(const struct cell *c, double u, double v)
{
    return (struct point){ c->a.x + c->b.x * u + c->c.x * v + c->d.x * u * v,
                           c->a.y + c->b.y * u + c->c.y * v + c->d.y * u * v };
}

static inline double cell_jacobian(const struct cell *c, double u, double v)
{
    return cross((struct point){ c->b.x + c->d.x * v, c->b.y + c->d.y * v },
                 (struct point){ c->c.x + c->d.x * u, c->c.y + c->d.y * u });
}
