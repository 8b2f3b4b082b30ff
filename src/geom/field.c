/* field: displacement fields, made and evaluated. */
#include "geom/field_cell.h"

#include <math.h>
#include <string.h>

/* --- making --- */

static struct field_axis axis_of(struct arena *arena, int n, double origin, double step, int pixels)
{
    int32_t *node = ARENA_ARRAY(arena, int32_t, (size_t)pixels);
    float *share = ARENA_ARRAY(arena, float, (size_t)pixels);
    struct field_axis axis = { n, origin, step, node, share, step == 1 && origin == 0.5 };

    for (int i = 0; i < pixels; i++) {
        double at = fmin(n - 1, fmax(0, (i + 0.5 - origin) / step));

        node[i] = (int32_t)at; /* the last node is stored twice: every node has a successor */
        share[i] = (float)(at - node[i]);
        axis.plain &= node[i] == i;
    }
    return axis;
}

static const float *padded(struct arena *arena, const float *d, int columns, int rows)
{
    size_t n = (size_t)columns;
    float *to = ARENA_ARRAY(arena, float, (n + 1) * (size_t)rows);

    for (size_t y = 0; y < (size_t)rows; y++) {
        memcpy(to + y * (n + 1), d + y * n, n * sizeof *to);
        to[y * (n + 1) + n] = d[y * n + n - 1];
    }
    return to;
}

/* The least and the most of n numbers, at least one. Sixteen of each at once: vectors. */
static void range_of(const float *d, size_t n, double *min, double *max)
{
    enum { LANES = 16 };
    float lo[LANES], hi[LANES];

    for (size_t k = 0; k < LANES; k++)
        lo[k] = hi[k] = d[0];
    for (size_t i = 0; i + LANES <= n; i += LANES)
        for (size_t k = 0; k < LANES; k++) {
            lo[k] = d[i + k] < lo[k] ? d[i + k] : lo[k];
            hi[k] = d[i + k] > hi[k] ? d[i + k] : hi[k];
        }
    for (size_t i = n - n % LANES; i < n; i++) {
        lo[0] = d[i] < lo[0] ? d[i] : lo[0];
        hi[0] = d[i] > hi[0] ? d[i] : hi[0];
    }
    *min = lo[0];
    *max = hi[0];
    for (size_t k = 1; k < LANES; k++) {
        *min = fmin(*min, lo[k]);
        *max = fmax(*max, hi[k]);
    }
}

const struct field *field_of_rows(struct arena *arena, struct frame frame, int columns, int rows,
                                  struct point origin, struct point step, const float *dx,
                                  const float *dy)
{
    struct field *f = ARENA_NEW(arena, struct field);
    size_t n = ((size_t)columns + 1) * (size_t)rows;

    *f = (struct field){ .frame = frame,
                         .x = axis_of(arena, columns, origin.x, step.x, frame.width),
                         .y = axis_of(arena, rows, origin.y, step.y, frame.height),
                         .dx = dx,
                         .dy = dy,
                         .arena = arena,
                         .tree = field_tree_new(arena) };
    range_of(dx, n, &f->range.x0, &f->range.x1);
    range_of(dy, n, &f->range.y0, &f->range.y1);
    return f;
}

const struct field *field_make(struct arena *arena, struct frame frame, int columns, int rows,
                               struct point origin, struct point step, const float *dx,
                               const float *dy)
{
    return field_of_rows(arena, frame, columns, rows, origin, step,
                         padded(arena, dx, columns, rows), padded(arena, dy, columns, rows));
}

/* --- sampling a function --- */

struct sampler {
    displace_line_fn *fn;
    const void *context;
    struct point step;
    int columns, rows;
    float *dx, *dy;
};

/* Places one node more than cells, along both axes, but at most one per pixel. */
static void sample_nodes(struct sampler *s, struct frame frame, int cells, struct arena *arena)
{
    int across = cells < frame.width ? cells : frame.width;
    int down = cells < frame.height ? cells : frame.height;
    size_t n = (size_t)(across + 1) * (size_t)(down + 1);

    s->columns = across + 1;
    s->rows = down + 1;
    s->step = (struct point){ (double)frame.width / across, (double)frame.height / down };
    s->dx = ARENA_ARRAY(arena, float, n);
    s->dy = ARENA_ARRAY(arena, float, n);
    for (int y = 0; y <= down; y++) {
        size_t at = (size_t)y * (size_t)s->columns;

        s->fn(s->context, y * s->step.y, 0, s->step.x, s->columns, s->dx + at, s->dy + at);
    }
}

/* Returns the maximum distance of n values, in the middle between the nodes a[i] and b[i], from the
 * straight line between these nodes. Eight maxima at once: a vector. */
static float bend_of(const float *restrict a, const float *restrict b, const float *restrict middle,
                     int n)
{
    float max[8] = { 0 };
    int i = 0;

    for (; i + 8 <= n; i += 8)
        for (int k = 0; k < 8; k++) {
            float off = fabsf((a[i + k] + b[i + k]) * 0.5f - middle[i + k]);

            max[k] = off > max[k] ? off : max[k];
        }
    for (; i < n; i++) {
        float off = fabsf((a[i] + b[i]) * 0.5f - middle[i]);

        max[0] = off > max[0] ? off : max[0];
    }
    for (int k = 1; k < 8; k++)
        max[0] = max[k] > max[0] ? max[k] : max[0];
    return max[0];
}

/* The same for the edges between the nodes of row y, and for those down to the next row. `dx` and
 * `dy` have room for a row of nodes. */
static float row_bend(const struct sampler *s, int y, float *dx, float *dy)
{
    size_t at = (size_t)y * (size_t)s->columns, below = at + (size_t)s->columns;
    int n = s->columns;
    float along = 0, down = 0;

    if (s->step.x > 1) {
        s->fn(s->context, y * s->step.y, 0.5, s->step.x, n - 1, dx, dy);
        along = fmaxf(bend_of(s->dx + at, s->dx + at + 1, dx, n - 1),
                      bend_of(s->dy + at, s->dy + at + 1, dy, n - 1));
    }
    if (s->step.y > 1 && y + 1 < s->rows) {
        s->fn(s->context, (y + 0.5) * s->step.y, 0, s->step.x, n, dx, dy);
        down = fmaxf(bend_of(s->dx + at, s->dx + below, dx, n),
                     bend_of(s->dy + at, s->dy + below, dy, n));
    }
    return fmaxf(along, down);
}

/* Returns a number of cells that is probably sufficient. If nodes are half as far apart, a smooth
 * function deviates from the bilinear surface a quarter as much. Ten percent more than this
 * estimate is rarely too few. Limited to twice the current number, since what looks like curvature
 * may be less smooth. */
static int more_cells(int cells, float bend)
{
    double factor = 1.1 * sqrt((double)bend / (FIELD_ERROR / 2));

    return (int)ceil(cells * fmin(factor, 2));
}

/* Returns the number of cells that are needed, `cells` if these are enough. A row that bends
 * strongly ends the loop when it needs twice as many. */
static int cells_needed(const struct sampler *s, int cells, struct arena *arena)
{
    float *dx = ARENA_ARRAY(arena, float, (size_t)s->columns);
    float *dy = ARENA_ARRAY(arena, float, (size_t)s->columns);
    float max = 0;

    for (int y = 0; y < s->rows && more_cells(cells, max) < 2 * cells; y++)
        max = fmaxf(max, row_bend(s, y, dx, dy));
    return max > FIELD_ERROR / 2 ? more_cells(cells, max) : cells;
}

const struct field *field_sampled_by_lines(struct arena *arena, struct frame frame,
                                           displace_line_fn *fn, const void *context)
{
    struct sampler s = { .fn = fn, .context = context };
    int cells = 8, needed;

    sample_nodes(&s, frame, cells, arena);
    while ((needed = cells_needed(&s, cells, arena)) > cells)
        sample_nodes(&s, frame, cells = needed, arena);
    return field_make(arena, frame, s.columns, s.rows, (struct point){ 0, 0 }, s.step, s.dx, s.dy);
}

/* A function of points, and its context. */
struct point_function {
    displace_fn *fn;
    const void *context;
};

static void line_of_points(const void *context, double y, double first, double step, int n,
                           float *restrict dx, float *restrict dy)
{
    const struct point_function *f = context;

    for (int i = 0; i < n; i++) {
        struct point d = f->fn(f->context, (struct point){ (first + i) * step, y });

        dx[i] = (float)d.x;
        dy[i] = (float)d.y;
    }
}

const struct field *field_sampled(struct arena *arena, struct frame frame, displace_fn *fn,
                                  const void *context)
{
    return field_sampled_by_lines(arena, frame, line_of_points,
                                  &(struct point_function){ fn, context });
}

/* --- cells --- */

/* Finds where the cell begins, and its extent from there; false beyond a side. */
static bool cell_side(const struct field_axis *axis, int i, double *at, double *lo, double *hi)
{
    bool inside = i >= 0 && i < axis->n - 1;

    *at = axis->origin + (i < 0 ? 0 : i) * axis->step;
    *lo = i < 0 ? -INFINITY : 0;
    *hi = i < 0 ? 0 : inside ? axis->step : INFINITY;
    return inside;
}

struct cell cell_of(const struct field *f, int i, int j)
{
    struct cell c;
    bool across = cell_side(&f->x, i, &c.at.x, &c.u0, &c.u1);
    bool down = cell_side(&f->y, j, &c.at.y, &c.v0, &c.v1);
    size_t stride = (size_t)f->x.n + 1;
    size_t n00 = (size_t)(j < 0 ? 0 : j) * stride + (size_t)(i < 0 ? 0 : i);
    size_t n10 = n00 + across, n01 = n00 + (down ? stride : 0), n11 = n01 + across;
    double x00 = f->dx[n00], x10 = f->dx[n10], x01 = f->dx[n01], x11 = f->dx[n11];
    double y00 = f->dy[n00], y10 = f->dy[n10], y01 = f->dy[n01], y11 = f->dy[n11];
    double sx = f->x.step, sy = f->y.step;

    c.a = (struct point){ c.at.x + x00, c.at.y + y00 };
    c.b = (struct point){ 1 + (x10 - x00) / sx, (y10 - y00) / sx };
    c.c = (struct point){ (x01 - x00) / sy, 1 + (y01 - y00) / sy };
    c.d =
        (struct point){ (x11 - x10 - x01 + x00) / (sx * sy), (y11 - y10 - y01 + y00) / (sx * sy) };
    return c;
}

struct point field_source(const struct field *f, struct point p)
{
    struct cell c = cell_of(f, cell_index(&f->x, p.x), cell_index(&f->y, p.y));

    return cell_source(&c, p.x - c.at.x, p.y - c.at.y);
}

double field_jacobian(const struct field *f, struct point p)
{
    struct cell c = cell_of(f, cell_index(&f->x, p.x), cell_index(&f->y, p.y));

    return cell_jacobian(&c, p.x - c.at.x, p.y - c.at.y);
}

/* Over a cell the determinant is a plane: it is least at a corner. */
double field_min_jacobian(const struct field *f)
{
    double min = 1;

    for (int j = -1; j < f->y.n; j++)
        for (int i = -1; i < f->x.n; i++) {
            struct cell c = cell_of(f, i, j);
            double u = i < 0 || i == f->x.n - 1 ? 0 : c.u1, v = j < 0 || j == f->y.n - 1 ? 0 : c.v1;

            min = fmin(min, fmin(fmin(cell_jacobian(&c, 0, 0), cell_jacobian(&c, u, 0)),
                                 fmin(cell_jacobian(&c, 0, v), cell_jacobian(&c, u, v))));
        }
    return min;
}

/* --- the canvas --- */

/* The x that the line from top to bottom shows, at the most and at the least; with `flat`, the y
 * that the line from left to right does. */
static void line_range(const struct field *f, bool flat, double at, double *lo, double *hi)
{
    const struct field_axis *along = flat ? &f->x : &f->y;

    *lo = INFINITY;
    *hi = -INFINITY;
    for (int i = 0; i < along->n; i++) {
        double node = along->origin + i * along->step;
        struct point s =
            field_source(f, flat ? (struct point){ node, at } : (struct point){ at, node });

        *lo = fmin(*lo, flat ? s.y : s.x);
        *hi = fmax(*hi, flat ? s.y : s.x);
    }
}

struct box field_outline(const struct field *f)
{
    struct box b;
    double unused;

    line_range(f, false, 0, &unused, &b.x0);
    line_range(f, false, f->frame.width, &b.x1, &unused);
    line_range(f, true, 0, &unused, &b.y0);
    line_range(f, true, f->frame.height, &b.y1, &unused);
    return b;
}
