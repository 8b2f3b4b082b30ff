/* grid: control grids as fields. */
#include "geom/grid.h"

#include "base/number.h"

#include <math.h>

static struct point step_of(const struct grid *g, struct frame f)
{
    return (struct point){ (double)f.width / (g->columns - 1), (double)f.height / (g->rows - 1) };
}

static size_t nodes_of(const struct grid *g)
{
    return (size_t)g->rows * (size_t)g->columns;
}

static const float *as_floats(struct arena *arena, const double *d, size_t n)
{
    float *to = ARENA_ARRAY(arena, float, n);

    for (size_t i = 0; i < n; i++)
        to[i] = (float)d[i];
    return to;
}

static const struct field *linear_field(struct arena *arena, struct frame frame,
                                        const struct grid *g)
{
    size_t n = nodes_of(g);

    return field_make(arena, frame, g->columns, g->rows, (struct point){ 0, 0 }, step_of(g, frame),
                      as_floats(arena, g->dx, n), as_floats(arena, g->dy, n));
}

/* --- cubic --- */

struct spline {
    const struct grid *grid;
    struct point step;
};

/* The four nodes around a position on one axis, and their weights. Beyond the border, the surface
 * is extrapolated linearly from the last two nodes, by weights of these. */
struct four {
    int node[4];
    double weight[4];
};

static struct four four_around(double at, int n)
{
    int first = (int)fmin(n - 2, fmax(0, floor(at)));
    double t = at - first, t2 = t * t, t3 = t2 * t;
    struct four f = { { first - 1, first, first + 1, first + 2 },
                      { (-t3 + 2 * t2 - t) / 2, (3 * t3 - 5 * t2 + 2) / 2,
                        (-3 * t3 + 4 * t2 + t) / 2, (t3 - t2) / 2 } };

    if (first == 0) {
        f.weight[1] += 2 * f.weight[0];
        f.weight[2] -= f.weight[0];
        f.weight[0] = 0;
        f.node[0] = 0;
    }
    if (first == n - 2) {
        f.weight[2] += 2 * f.weight[3];
        f.weight[1] -= f.weight[3];
        f.weight[3] = 0;
        f.node[3] = n - 1;
    }
    return f;
}

static struct point spline_at(const void *context, struct point p)
{
    const struct spline *s = context;
    struct four x = four_around(p.x / s->step.x, s->grid->columns);
    struct four y = four_around(p.y / s->step.y, s->grid->rows);
    struct point sum = { 0, 0 };

    for (int j = 0; j < 4; j++)
        for (int i = 0; i < 4; i++) {
            size_t at = (size_t)y.node[j] * (size_t)s->grid->columns + (size_t)x.node[i];
            double weight = y.weight[j] * x.weight[i];

            sum.x += weight * s->grid->dx[at];
            sum.y += weight * s->grid->dy[at];
        }
    return sum;
}

/* --- thin plate --- */

/* d(p) = flat[0] + flat[1] x + flat[2] y + the sum of bend[i] U(|p - node i|), with U(r) = r^2 ln
 * r^2. As in Albumentations, x and y are fractions of the canvas' sides. */
struct plate {
    struct frame frame;
    size_t n;
    struct point *node, *bend, flat[3];
};

static double plate_bend(struct point a, struct point b)
{
    double x = a.x - b.x, y = a.y - b.y, r2 = x * x + y * y;

    return r2 > 0 ? r2 * number_log(r2) : 0;
}

static struct point plate_at(const void *context, struct point p)
{
    const struct plate *t = context;
    struct point at = { p.x / t->frame.width, p.y / t->frame.height };
    struct point sum = { t->flat[0].x + t->flat[1].x * at.x + t->flat[2].x * at.y,
                         t->flat[0].y + t->flat[1].y * at.x + t->flat[2].y * at.y };

    for (size_t i = 0; i < t->n; i++) {
        double u = plate_bend(at, t->node[i]);

        sum.x += t->bend[i].x * u;
        sum.y += t->bend[i].y * u;
    }
    return sum;
}

/* Gaussian elimination with the largest pivot of a column, for two right sides at once: m has n
 * rows of n + 2. False if there is no pivot. */
static bool solve(double *m, size_t n)
{
    size_t width = n + 2;

    for (size_t k = 0; k < n; k++) {
        size_t pivot = k;

        for (size_t i = k + 1; i < n; i++)
            if (fabs(m[i * width + k]) > fabs(m[pivot * width + k]))
                pivot = i;
        if (!(fabs(m[pivot * width + k]) > 1e-12))
            return false;
        for (size_t j = 0; j < width; j++) {
            double swapped = m[k * width + j];

            m[k * width + j] = m[pivot * width + j];
            m[pivot * width + j] = swapped;
        }
        for (size_t i = 0; i < n; i++) {
            double factor = m[i * width + k] / m[k * width + k];

            for (size_t j = k; i != k && j < width; j++)
                m[i * width + j] -= factor * m[k * width + j];
        }
    }
    for (size_t k = 0; k < n; k++) {
        m[k * width + n] /= m[k * width + k];
        m[k * width + n + 1] /= m[k * width + k];
    }
    return true;
}

/* Through all nodes, and the bends together neither move nor tilt the plate far away. */
static bool plate_solve(struct arena *arena, struct plate *t, const struct grid *g)
{
    size_t n = t->n, all = n + 3, width = all + 2;
    double *m = ARENA_ARRAY(arena, double, all *width);

    for (size_t i = 0; i < n; i++) {
        double flat[3] = { 1, t->node[i].x, t->node[i].y };

        for (size_t j = 0; j < n; j++)
            m[i * width + j] = plate_bend(t->node[i], t->node[j]);
        for (size_t k = 0; k < 3; k++)
            m[i * width + n + k] = m[(n + k) * width + i] = flat[k];
        m[i * width + all] = g->dx[i];
        m[i * width + all + 1] = g->dy[i];
    }
    if (!solve(m, all))
        return false;
    for (size_t i = 0; i < all; i++) {
        struct point p = { m[i * width + all], m[i * width + all + 1] };

        *(i < n ? &t->bend[i] : &t->flat[i - n]) = p;
    }
    return true;
}

static const struct field *plate_field(struct arena *arena, struct frame frame,
                                       const struct grid *g)
{
    size_t n = nodes_of(g);
    struct plate plate = { .frame = frame,
                           .n = n,
                           .node = ARENA_ARRAY(arena, struct point, n),
                           .bend = ARENA_ARRAY(arena, struct point, n) };

    for (size_t i = 0; i < n; i++)
        plate.node[i] = (struct point){ (double)(i % (size_t)g->columns) / (g->columns - 1),
                                        (double)(i / (size_t)g->columns) / (g->rows - 1) };
    if (!plate_solve(arena, &plate, g))
        return NULL;
    return field_sampled(arena, frame, plate_at, &plate);
}

/* --- all --- */

const struct field *grid_field(struct arena *arena, struct frame frame, const struct grid *g,
                               enum grid_surface surface)
{
    struct spline spline = { g, step_of(g, frame) };

    switch (surface) {
    case GRID_LINEAR:
        break;
    case GRID_CUBIC:
        return field_sampled(arena, frame, spline_at, &spline);
    case GRID_THIN_PLATE:
        return plate_field(arena, frame, g);
    }
    return linear_field(arena, frame, g);
}

void grid_scale(const struct grid *g, double x, double y)
{
    for (size_t i = 0; i < nodes_of(g); i++) {
        g->dx[i] = nearbyint(g->dx[i] * x * 1000) / 1000;
        g->dy[i] = nearbyint(g->dy[i] * y * 1000) / 1000;
    }
}

void grid_unfold(const struct grid *g, struct frame frame)
{
    struct arena arena = { 0 };

    while (field_min_jacobian(linear_field(&arena, frame, g)) < 0.1)
        grid_scale(g, 0.8, 0.8);
    arena_drop(&arena);
}
