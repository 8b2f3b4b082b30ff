/* field: displacement fields, made and evaluated. */
#include "field_cell.h"

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

        node[i] = (int32_t)at; /* the last node is there twice: one always follows */
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

const struct field *field_make(struct arena *arena, struct frame frame, int columns, int rows,
                               struct point origin, struct point step, const float *dx,
                               const float *dy)
{
    struct field *f = ARENA_NEW(arena, struct field);
    size_t n = (size_t)columns * (size_t)rows;

    *f = (struct field){ .frame = frame,
                         .x = axis_of(arena, columns, origin.x, step.x, frame.width),
                         .y = axis_of(arena, rows, origin.y, step.y, frame.height),
                         .dx = padded(arena, dx, columns, rows),
                         .dy = padded(arena, dy, columns, rows),
                         .range = { dx[0], dy[0], dx[0], dy[0] },
                         .arena = arena,
                         .tree = field_tree_new(arena) };
    for (size_t i = 0; i < n; i++) {
        f->range.x0 = fmin(f->range.x0, dx[i]);
        f->range.y0 = fmin(f->range.y0, dy[i]);
        f->range.x1 = fmax(f->range.x1, dx[i]);
        f->range.y1 = fmax(f->range.y1, dy[i]);
    }
    return f;
}

/* --- sampling a function --- */

struct sampler {
    displace_fn *fn;
    const void *context;
    struct point step;
    int columns, rows;
    float *dx, *dy;
};

static struct point sampler_at(const struct sampler *s, double column, double row)
{
    return s->fn(s->context, (struct point){ column * s->step.x, row * s->step.y });
}

/* At most so many cells along and down, and no more than pixels. */
static void sample_nodes(struct sampler *s, struct frame frame, int cells, struct arena *arena)
{
    int across = cells < frame.width ? cells : frame.width;
    int down = cells < frame.height ? cells : frame.height;
    size_t i = 0, n = (size_t)(across + 1) * (size_t)(down + 1);

    s->columns = across + 1;
    s->rows = down + 1;
    s->step = (struct point){ (double)frame.width / across, (double)frame.height / down };
    s->dx = ARENA_ARRAY(arena, float, n);
    s->dy = ARENA_ARRAY(arena, float, n);
    for (int y = 0; y <= down; y++)
        for (int x = 0; x <= across; x++, i++) {
            struct point d = sampler_at(s, x, y);

            s->dx[i] = (float)d.x;
            s->dy[i] = (float)d.y;
        }
}

/* Is the function at `middle` what the line between two nodes has there? */
static bool is_straight(const struct sampler *s, size_t a, size_t b, struct point middle)
{
    return fabs((s->dx[a] + s->dx[b]) / 2. - middle.x) <= FIELD_ERROR / 2 &&
           fabs((s->dy[a] + s->dy[b]) / 2. - middle.y) <= FIELD_ERROR / 2;
}

static bool is_fine(const struct sampler *s)
{
    size_t i = 0, stride = (size_t)s->columns;

    for (int y = 0; y < s->rows; y++)
        for (int x = 0; x < s->columns; x++, i++) {
            if (s->step.x > 1 && x + 1 < s->columns &&
                !is_straight(s, i, i + 1, sampler_at(s, x + 0.5, y)))
                return false;
            if (s->step.y > 1 && y + 1 < s->rows &&
                !is_straight(s, i, i + stride, sampler_at(s, x, y + 0.5)))
                return false;
        }
    return true;
}

const struct field *field_sampled(struct arena *arena, struct frame frame, displace_fn *fn,
                                  const void *context)
{
    struct sampler s = { .fn = fn, .context = context };
    int cells = 8;

    sample_nodes(&s, frame, cells, arena);
    while (!is_fine(&s))
        sample_nodes(&s, frame, cells *= 2, arena);
    return field_make(arena, frame, s.columns, s.rows, (struct point){ 0, 0 }, s.step, s.dx, s.dy);
}

/* --- cells --- */

/* Where the cell begins, and how far it goes from there; false beyond a side. */
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
double field_least_jacobian(const struct field *f)
{
    double least = 1;

    for (int j = -1; j < f->y.n; j++)
        for (int i = -1; i < f->x.n; i++) {
            struct cell c = cell_of(f, i, j);
            double u = i < 0 || i == f->x.n - 1 ? 0 : c.u1, v = j < 0 || j == f->y.n - 1 ? 0 : c.v1;

            least = fmin(least, fmin(fmin(cell_jacobian(&c, 0, 0), cell_jacobian(&c, u, 0)),
                                     fmin(cell_jacobian(&c, 0, v), cell_jacobian(&c, u, v))));
        }
    return least;
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
