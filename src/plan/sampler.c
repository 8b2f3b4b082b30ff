/* sampler: makes rows of a pass's head. */
#include "plan/sampler.h"

#include "plan/join.h"

#include <math.h>

struct sampler sampler_of_nothing(const struct plane *in, struct plane *out)
{
    return (struct sampler){ .kind = SAMPLER_COPY, .in = in, .out = out };
}

struct sampler sampler_of_action(const struct action *a, const struct plane *in, int left, int top,
                                 struct plane *out)
{
    struct sampler m = { .in = in, .out = out, .fill = a->fill };

    if (a->family == FAMILY_INDEX) {
        m.kind = SAMPLER_INDEX;
        m.col = a->u.index.col;
        m.row = a->u.index.row;
        m.swap = a->u.index.swap;
    } else if (a->family == FAMILY_MATRIX) {
        m.kind = SAMPLER_WARP;
        m.inverse = a->map.inverse;
        m.interpolation = a->u.matrix.interpolation;
    } else if (a->family == FAMILY_FIELD) {
        m.kind = SAMPLER_FIELD;
        m.field = a->map.field;
        m.interpolation = a->u.field.interpolation;
    } else if (a->family == FAMILY_ALIGN) {
        const double *back = a->map.inverse.m;

        m.kind = SAMPLER_RESIZE;
        m.resizer = resizer_begin_align(in, out, &(struct stretch){ back[2], back[0] },
                                        &(struct stretch){ back[5], back[4] }, a->u.align.across,
                                        a->u.align.down);
    } else {
        struct resize_part part = resample_part(a);

        m.kind = SAMPLER_RESIZE;
        m.resizer = resizer_begin_part(&part, in, left, top, out);
    }
    return m;
}

/* --- composed maps --- */

/* The reduction of one axis: the number of pixels, and their positions. */
struct reduction {
    struct stretch stretch;
    int n;
};

/* Along rows and columns, reduced pixels are the output's own; otherwise they are as many as the
 * input has after shrinking. */
static struct reduction reduction_of(double step, double shift, int out, double shrink, double lo,
                                     double hi)
{
    if (step != 0)
        return (struct reduction){ { fmin(shift, shift + step * out), fabs(step) }, out };
    return (struct reduction){ { lo, shrink }, (int)fmax(1, ceil((hi - lo) / shrink)) };
}

static void reductions(const struct composed_map *r, const struct box *window, struct reduction *x,
                       struct reduction *y)
{
    const double *m = r->inverse.m;
    struct point shrink = composed_reduction(r);
    bool along = mat3_is_axis_aligned(&r->inverse), swap = along && m[0] == 0;
    int n_x = swap ? r->out.height : r->out.width, n_y = swap ? r->out.width : r->out.height;

    *x =
        reduction_of(along ? (swap ? m[1] : m[0]) : 0, m[2], n_x, shrink.x, window->x0, window->x1);
    *y =
        reduction_of(along ? (swap ? m[3] : m[4]) : 0, m[5], n_y, shrink.y, window->y0, window->y1);
}

static bool wants_reduction(const struct composed_map *r)
{
    struct point shrink = composed_reduction(r);
    double little = mat3_is_axis_aligned(&r->inverse) ? 1 : LITTLE_SHRINK;

    return r->interpolation > INTERPOLATION_BILINEAR ||
           (r->interpolation == INTERPOLATION_BILINEAR && r->antialias &&
            fmax(shrink.x, shrink.y) > little);
}

static struct sampler sampler_of_part(const struct composed_map *r, const struct plane *in,
                                      struct plane *out, struct arena *arena)
{
    struct sampler m = { .kind = SAMPLER_PART,
                         .in = in,
                         .out = out,
                         .inverse = r->inverse,
                         .interpolation = r->interpolation,
                         .edges = r->edges,
                         .scattered = r->scattered };

    if (composed_is_index(r, arena, &m.col, &m.row, &m.swap))
        m.kind = SAMPLER_INDEX;
    return m;
}

/* Reduces the input with a filter along rows and columns, then warps it. */
static struct sampler sampler_reducing(const struct composed_map *r, const struct box *window,
                                       const struct plane *in, struct plane *out, struct pool *pool,
                                       struct arena *arena)
{
    struct reduction x, y;
    struct plane part, reduced;
    struct composed_map rest = *r;
    struct resizer *resizer;
    struct sampler m;

    reductions(r, window, &x, &y);
    rest.inverse = mat3_then(
        &r->inverse,
        &(struct mat3){ { 1 / x.stretch.scale, 0, -x.stretch.begin / x.stretch.scale, 0,
                          1 / y.stretch.scale, -y.stretch.begin / y.stretch.scale, 0, 0, 1 } });
    rest.in = (struct frame){ x.n, y.n };
    rest.interpolation = INTERPOLATION_BILINEAR;
    part = plane_part(in, (int)window->x0, (int)window->y0, (int)(window->x1 - window->x0),
                      (int)(window->y1 - window->y0));
    x.stretch.begin -= window->x0;
    y.stretch.begin -= window->y0;
    reduced = pool_plane(pool, rest.in, in->channels, in->type);
    resizer =
        resizer_begin(&part, &reduced, r->interpolation, r->antialias, &x.stretch, &y.stretch);
    resizer_rows(resizer, 0, reduced.height);
    resizer_end(resizer);
    m = sampler_of_part(&rest, NULL, out, arena);
    m.reduced = reduced;
    return m;
}

struct sampler sampler_of_composed(const struct composed_map *r, const struct plane *in,
                                   struct plane *out, struct pool *pool, struct arena *arena)
{
    struct box all = { 0, 0, in->width, in->height };
    struct box window = box_intersect(composed_window(r), all); /* the part of `in` that is read */

    if (wants_reduction(r) && !box_is_empty(window))
        return sampler_reducing(r, &window, in, out, pool, arena);
    return sampler_of_part(r, in, out, arena);
}

/* --- rows --- */

/* Returns a shift of -0.5..0.5, evenly and irregularly distributed over any number of rows: the
 * fraction of a multiple of the golden ratio. It has few enough bits for the coefficients that
 * `rounded` makes for composed maps. */
double scatter_shift(int y)
{
    double along = y * 0.6180339887, fraction = along - (int)along;

    return (int)(fraction * 0x1p10 + 0.5) * 0x1p-10 - 0.5;
}

void sampler_rows(struct sampler *m, int y, struct plane *to)
{
    const struct plane *in = m->reduced.px ? &m->reduced : m->in;
    int end = y + to->height;

    switch (m->kind) {
    case SAMPLER_COPY:
        if (in->px != m->out->px) {
            struct plane from = plane_part(in, 0, y, in->width, to->height);

            plane_copy(&from, to);
        }
        break;
    case SAMPLER_INDEX:
        plane_remap(in, to, m->col + (m->swap ? y : 0), m->row + (m->swap ? 0 : y), m->swap,
                    &m->fill);
        break;
    case SAMPLER_WARP:
        plane_warp_rows(in, m->out, &m->inverse, m->interpolation, &m->fill, y, end);
        break;
    case SAMPLER_FIELD:
        plane_displace_rows(in, m->out, m->field, m->interpolation, &m->fill, y, end);
        break;
    case SAMPLER_RESIZE:
        resizer_rows(m->resizer, y, end);
        break;
    case SAMPLER_PART:
        plane_warp_inside(in, m->out, &m->inverse, m->interpolation, &m->edges,
                          m->scattered ? scatter_shift : NULL, y, end);
    }
}

void sampler_end(struct sampler *m, struct pool *pool)
{
    if (m->resizer)
        resizer_end(m->resizer);
    if (m->reduced.px)
        pool_return(pool, &m->reduced);
}
