/* field_inverse: finds the point of the output that shows a point of the source, and where a field
 * may fold. From a guess it takes a few steps, which may not converge where the field folds. Then
 * all cells are searched through a tree of blocks of cells, which store the bounds of what they
 * show. */
#include "geom/field_cell.h"

#include <string.h>

/* From cell to cell, before looking through all that may be meant. */
enum { STEPS = 24 };

static double outside(double v, double lo, double hi)
{
    return v < lo ? lo - v : v > hi ? v - hi : 0;
}

/* Finds the u and v at which the cell, extended without bounds, shows s; of two solutions the one
 * nearer to the cell. False if it shows s nowhere. *off: distance outside the cell, in pixels. */
static bool cell_target(const struct cell *c, struct point s, double *u, double *v, double *off)
{
    struct point e = { s.x - c->a.x, s.y - c->a.y };
    /* With e = b u + c v + d u v, e - c v and b + d v are parallel: a square equation for v. */
    double q2 = -cross(c->c, c->d), q1 = cross(e, c->d) - cross(c->c, c->b), q0 = cross(e, c->b);
    double root = sqrt(fmax(0, q1 * q1 - 4 * q2 * q0)), q = -(q1 + copysign(root, q1)) / 2;
    double both[2] = { q0 / q, q / q2 };

    *u = *v = 0;
    *off = INFINITY;
    if (q1 * q1 - 4 * q2 * q0 < -1e-9 * (q1 * q1 + fabs(4 * q2 * q0)))
        return false;
    for (int i = 0; i < 2; i++) {
        struct point w = { c->b.x + c->d.x * both[i], c->b.y + c->d.y * both[i] };
        double x = e.x - c->c.x * both[i], y = e.y - c->c.y * both[i];
        double at = (x * w.x + y * w.y) / (w.x * w.x + w.y * w.y), far;

        if (!isfinite(both[i]) || !isfinite(at))
            continue;
        far = outside(at, c->u0, c->u1) + outside(both[i], c->v0, c->v1);
        if (far >= *off)
            continue;
        *u = at;
        *v = both[i];
        *off = far;
    }
    return *off < INFINITY;
}

/* Rounding may put a point on the side of a cell in neither of two. */
static const double SIDE = 1e-7;

/* Walks from cell to cell, each extended without bounds. This is Newton's method with the field's
 * own surface as the tangent: exact once the cell is the right one. */
static bool walk(const struct field *f, struct point s, struct point *p)
{
    struct point shown = field_source(f, s);

    *p = (struct point){ 2 * s.x - shown.x, 2 * s.y - shown.y };
    for (int step = 0; step < STEPS; step++) {
        struct cell c = cell_of(f, cell_index(&f->x, p->x), cell_index(&f->y, p->y));
        double u, v, off;

        if (!cell_target(&c, s, &u, &v, &off))
            return false;
        *p = (struct point){ c.at.x + u, c.at.y + v };
        if (off <= SIDE)
            return cell_jacobian(&c, u, v) > 0;
        /* No farther than displacements reach. */
        p->x = fmin(s.x - f->range.x0, fmax(s.x - f->range.x1, p->x));
        p->y = fmin(s.y - f->range.y0, fmax(s.y - f->range.y1, p->y));
    }
    return false;
}

/* --- the tree --- */

/* Blocks of level 0 are SPAN x SPAN cells, blocks of each level above are SPAN x SPAN blocks of the
 * level below. Cells are numbered from the strip beyond the left and upper sides, which is -1. */
enum { SPAN = 8, LEVELS = 8 };

struct block {
    struct box shown;    /* bounds of the source that its cells show */
    double min_jacobian; /* of its cells */
};

struct level {
    struct block *block;
    int columns, rows;
};

struct field_tree {
    int n_levels;   /* 0: not made yet */
    uint64_t cells; /* that searches have looked at */
    struct level level[LEVELS];
};

struct field_tree *field_tree_new(struct arena *arena)
{
    return ARENA_NEW(arena, struct field_tree);
}

static struct box box_around(struct box a, struct box b)
{
    return (struct box){ fmin(a.x0, b.x0), fmin(a.y0, b.y0), fmax(a.x1, b.x1), fmax(a.y1, b.y1) };
}

/* Where both coordinates count, as cell_target's do, which may be SIDE outside of the cell. */
static struct box with_slack(struct box b)
{
    double slack = 1e-6 * (b.x1 - b.x0 + b.y1 - b.y0 + 1);

    return (struct box){ b.x0 - slack, b.y0 - slack, b.x1 + slack, b.y1 + slack };
}

/* Between its sides a cell shows at most the box around its corners; beyond the outermost nodes it
 * is unbounded. */
static struct block block_of_cell(const struct field *f, int i, int j)
{
    struct cell c = cell_of(f, i, j);
    double u = isinf(c.u0) || isinf(c.u1) ? 0 : c.u1, v = isinf(c.v0) || isinf(c.v1) ? 0 : c.v1;
    struct point corner[4] = { cell_source(&c, 0, 0), cell_source(&c, u, 0), cell_source(&c, u, v),
                               cell_source(&c, 0, v) };
    struct block b = { with_slack(box_of_points(corner, 4)), cell_jacobian(&c, 0, 0) };

    b.min_jacobian = fmin(fmin(b.min_jacobian, cell_jacobian(&c, u, v)),
                          fmin(cell_jacobian(&c, u, 0), cell_jacobian(&c, 0, v)));
    b.shown.x0 = isinf(c.u0) ? -INFINITY : b.shown.x0;
    b.shown.x1 = isinf(c.u1) ? INFINITY : b.shown.x1;
    b.shown.y0 = isinf(c.v0) ? -INFINITY : b.shown.y0;
    b.shown.y1 = isinf(c.v1) ? INFINITY : b.shown.y1;
    return b;
}

/* Cells or blocks of a level, to blocks of the one above. */
static struct level level_above(struct arena *arena, const struct field *f,
                                const struct level *below, int columns, int rows)
{
    struct level up = { .columns = (columns + SPAN - 1) / SPAN, .rows = (rows + SPAN - 1) / SPAN };

    up.block = ARENA_ARRAY(arena, struct block, (size_t)up.columns * (size_t)up.rows);
    for (int j = 0; j < rows; j++)
        for (int i = 0; i < columns; i++) {
            struct block *to =
                &up.block[(size_t)(j / SPAN) * (size_t)up.columns + (size_t)(i / SPAN)];
            struct block b = below ? below->block[(size_t)j * (size_t)columns + (size_t)i]
                                   : block_of_cell(f, i - 1, j - 1);

            if (i % SPAN || j % SPAN)
                b = (struct block){ box_around(to->shown, b.shown),
                                    fmin(to->min_jacobian, b.min_jacobian) };
            *to = b;
        }
    return up;
}

/* Built when first needed: most fields do not fold, and most points are found without it. */
static struct field_tree *tree_of(const struct field *f)
{
    struct field_tree *t = f->tree;
    int columns = f->x.n + 1, rows = f->y.n + 1;

    if (t->n_levels)
        return t;
    do {
        struct level *up = &t->level[t->n_levels];

        *up = level_above(f->arena, f, t->n_levels ? up - 1 : NULL, columns, rows);
        columns = up->columns;
        rows = up->rows;
        t->n_levels++;
    } while (columns * rows > 1 && t->n_levels < LEVELS);
    return t;
}

/* --- searching --- */

struct search {
    const struct field *f;
    struct field_tree *tree;
    struct point s, at; /* the point that is searched, and the result */
    double far;         /* from s to there; infinite at first */
    bool turned;        /* the surface is upside down there */
};

/* Returns the range along an axis of the cells [first, end). */
static double axis_distance(const struct field_axis *axis, int first, int end, double p)
{
    double lo = first <= -1 ? -INFINITY : axis->origin + first * axis->step;
    double hi = end >= axis->n ? INFINITY : axis->origin + end * axis->step;

    return outside(p, lo, hi);
}

static void search_cell(struct search *q, int i, int j)
{
    struct cell c = cell_of(q->f, i, j);
    double u, v, off, far;
    bool turned;

    q->tree->cells++;
    if (!cell_target(&c, q->s, &u, &v, &off) || off > SIDE)
        return;
    turned = cell_jacobian(&c, u, v) <= 0;
    far = hypot(c.at.x + u - q->s.x, c.at.y + v - q->s.y);
    if (turned > q->turned || (turned == q->turned && far >= q->far))
        return;
    q->at = (struct point){ c.at.x + u, c.at.y + v };
    q->far = far;
    q->turned = turned;
}

/* Returns the distance of a block's cells from s; the block may be absent. */
static double block_distance(const struct search *q, int level, int i, int j)
{
    const struct level *l = &q->tree->level[level];
    int size = SPAN;
    struct box shown;

    if (i < 0 || j < 0 || i >= l->columns || j >= l->rows)
        return INFINITY;
    shown = l->block[(size_t)j * (size_t)l->columns + (size_t)i].shown;
    if (q->s.x < shown.x0 || q->s.x > shown.x1 || q->s.y < shown.y0 || q->s.y > shown.y1)
        return INFINITY;
    for (int k = 0; k < level; k++)
        size *= SPAN;
    return hypot(axis_distance(&q->f->x, i * size - 1, (i + 1) * size - 1, q->s.x),
                 axis_distance(&q->f->y, j * size - 1, (j + 1) * size - 1, q->s.y));
}

/* Visits the nearest blocks first, and none that is farther away than the best unmirrored result.
 */
static void search_block(struct search *q, int level, int i, int j)
{
    double distance[SPAN * SPAN];

    if (level == 0) {
        for (int y = j * SPAN; y < (j + 1) * SPAN && y <= q->f->y.n; y++)
            for (int x = i * SPAN; x < (i + 1) * SPAN && x <= q->f->x.n; x++)
                search_cell(q, x - 1, y - 1);
        return;
    }
    for (int k = 0; k < SPAN * SPAN; k++)
        distance[k] = block_distance(q, level - 1, i * SPAN + k % SPAN, j * SPAN + k / SPAN);
    for (;;) {
        int nearest = 0;

        for (int k = 1; k < SPAN * SPAN; k++)
            nearest = distance[k] < distance[nearest] ? k : nearest;
        if (isinf(distance[nearest]) || (!q->turned && distance[nearest] > q->far))
            return;
        distance[nearest] = INFINITY;
        search_block(q, level - 1, i * SPAN + nearest % SPAN, j * SPAN + nearest / SPAN);
    }
}

/* The point nearest to s, on an upper sheet if there is one. */
static bool search(const struct field *f, struct point s, struct point *p)
{
    struct search q = { .f = f, .tree = tree_of(f), .s = s, .far = INFINITY, .turned = true };

    search_block(&q, q.tree->n_levels - 1, 0, 0);
    *p = q.at;
    return q.far < INFINITY;
}

struct point field_target(const struct field *f, struct point s)
{
    struct point p;

    if (!isfinite(s.x) || !isfinite(s.y))
        return s;
    if (f->target)
        return f->target(f->target_context, s);
    if (!walk(f, s, &p) && !search(f, s, &p))
        p = (struct point){ s.x - f->range.x0, s.y - f->range.y0 };
    return p;
}

uint64_t field_cells_searched(const struct field *f)
{
    return f->tree->cells;
}

/* --- folds --- */

/* The box may have no width or height. */
static bool may_fold(const struct block *k, struct box b)
{
    return k->min_jacobian <= 0 && k->shown.x0 <= b.x1 && k->shown.x1 >= b.x0 &&
           k->shown.y0 <= b.y1 && k->shown.y1 >= b.y0;
}

static bool folds_in_block(const struct field *f, const struct field_tree *t, int level, int i,
                           int j, struct box b)
{
    const struct level *l = &t->level[level];
    struct block block;

    if (i >= l->columns || j >= l->rows)
        return false;
    block = l->block[(size_t)j * (size_t)l->columns + (size_t)i];
    if (!may_fold(&block, b))
        return false;
    for (int k = 0; k < SPAN * SPAN; k++) {
        int x = i * SPAN + k % SPAN, y = j * SPAN + k / SPAN;

        if (level && folds_in_block(f, t, level - 1, x, y, b))
            return true;
        if (!level && x <= f->x.n && y <= f->y.n) {
            block = block_of_cell(f, x - 1, y - 1);
            if (may_fold(&block, b))
                return true;
        }
    }
    return false;
}

bool field_folds(const struct field *f, struct box b)
{
    const struct field_tree *t = tree_of(f);

    return folds_in_block(f, t, t->n_levels - 1, 0, 0, b);
}
