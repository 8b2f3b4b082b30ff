/* composed_map: several actions that move pixels, as one map from the source. */
#include "plan/composed_map.h"

#include "plan/join.h"

#include <math.h>
#include <string.h>

struct composed_map composed_begin(struct frame frame)
{
    return (struct composed_map){ .in = frame, .out = frame, .inverse = MAT3_IDENTITY };
}

/* --- edges --- */

/* Returns the edge after p' = forward(p): the row vector of the edge times the inverse. */
static struct edge edge_moved(const struct edge *e, const struct mat3 *inverse)
{
    const double *m = inverse->m;
    struct edge moved = { e->a * m[0] + e->b * m[3], e->a * m[1] + e->b * m[4],
                          e->a * m[2] + e->b * m[5] + e->c };
    double length = hypot(moved.a, moved.b);

    return (struct edge){ moved.a / length, moved.b / length, moved.c / length };
}

/* True if every pixel of the frame is wholly inside the edge: its center is at least half a pixel
 * away. */
static bool edge_is_idle(const struct edge *e, struct frame f)
{
    double x[2] = { 0.5, f.width - 0.5 }, y[2] = { 0.5, f.height - 0.5 };

    for (int i = 0; i < 4; i++)
        if (e->a * x[i & 1] + e->b * y[i >> 1] + e->c < 0.5 - 1e-9)
            return false;
    return true;
}

/* Returns the edges so far in the action's output. If the action reads pixels outside of its input
 * canvas, the four edges of that canvas are added. */
static struct edges edges_after(const struct edges *before, const struct action *a, bool cuts,
                                bool *cut, struct arena *arena)
{
    struct edge canvas[4] = {
        { 1, 0, 0 }, { -1, 0, a->in.width }, { 0, 1, 0 }, { 0, -1, a->in.height }
    };
    struct edge *at = ARENA_ARRAY(arena, struct edge, before->n + 4);
    size_t n = 0;

    for (size_t i = 0; i < before->n + (cuts ? 4 : 0); i++) {
        bool old = i < before->n;

        at[n] = edge_moved(old ? &before->at[i] : &canvas[i - before->n], &a->map.inverse);
        if (edge_is_idle(&at[n], a->out))
            continue;
        n++;
        *cut |= !old;
    }
    return (struct edges){ at, n };
}

/* --- composing --- */

static enum interpolation taps_of(const struct action *a)
{
    return a->family == FAMILY_MATRIX     ? a->u.matrix.interpolation
           : a->family == FAMILY_RESAMPLE ? a->u.resample.interpolation
                                          : INTERPOLATION_NEAREST;
}

/* True for mirrored and repeated borders: their indices are not the map's. */
static bool is_mirrored(const struct action *a)
{
    if (a->family == FAMILY_MATRIX)
        return a->fill.border != PADDING_CONSTANT;
    return a->family == FAMILY_INDEX &&
           (a->u.index.col != a->map.col || a->u.index.row != a->map.row);
}

/* --- limits of resampling once --- */

/* Returns the smallest and largest factor by which a linear map scales lengths: its singular
 * values. */
static struct range stretch_of(double a, double b, double c, double d)
{
    double sum = hypot(a + d, b - c), difference = hypot(a - d, b + c);

    return (struct range){ fabs(sum - difference) / 2, (sum + difference) / 2 };
}

static struct range stretch_of_map(const struct mat3 *map)
{
    return stretch_of(map->m[0], map->m[1], map->m[3], map->m[4]);
}

bool action_resamples(const struct action *a)
{
    struct range stretch = stretch_of_map(&a->map.inverse);

    return a->family == FAMILY_MATRIX || a->family == FAMILY_RESAMPLE ||
           (a->family == FAMILY_INDEX && (stretch.lo < 1 - 1e-9 || stretch.hi > 1 + 1e-9));
}

bool action_skips(const struct action *a)
{
    return action_resamples(a) && (a->family != FAMILY_RESAMPLE || !a->u.resample.antialias) &&
           stretch_of_map(&a->map.inverse).hi > LITTLE_SHRINK;
}

double action_enlarges(const struct action *a)
{
    return stretch_of_map(&a->map.forward).hi;
}

/* A canvas may be this much coarser than both the input and the output: two filters remove more
 * detail than one filter keeps beyond that. */
#define LITTLE_LOSS 1.15

enum { DIRECTIONS = 32 };

/* Returns the distance of a canvas's pixels for waves in direction (x, y). */
static double apart_along(const double grid[4], double x, double y)
{
    return hypot(grid[0] * x + grid[2] * y, grid[1] * x + grid[3] * y);
}

/* True if a canvas on the way lost detail that a single resampling would keep. In some direction,
 * its pixels are farther apart than the pixels of both the input and the output. */
static bool is_detail_lost(const struct composed_map *r)
{
    const double *last = r->grid[r->n_grids - 1];

    for (size_t i = 0; i + 1 < r->n_grids; i++)
        for (int k = 0; k < DIRECTIONS; k++) {
            double x = cos(M_PI * k / DIRECTIONS), y = sin(M_PI * k / DIRECTIONS);
            double ends = fmax(1, apart_along(last, x, y));

            if (apart_along(r->grid[i], x, y) > LITTLE_LOSS * ends)
                return true;
        }
    return false;
}

#define MAX_SHRINK 1.5

/* A shrinking filter runs along rows and columns of one canvas and removes detail finer than its
 * pixels. Combined with another resampling, the filter would be rotated, or would blur what was
 * sharp. */
#define NO_SHRINK 1.01

/* True if one resampling would skip pixels that several resamplings do not skip. */
static bool is_more_skipped(const struct composed_map *r)
{
    double left = composed_apart(r).hi;

    if (r->edges.n && !r->antialias && left > MAX_SHRINK)
        return true; /* op by op, edges are less than a pixel wide */
    return r->n_grids > 1 && fmax(left, r->plain_shrink) > LITTLE_SHRINK;
}

/* Adds the action's canvas to the resampled canvases. */
static void add_grid(struct composed_map *r, const struct action *a)
{
    const double *m = r->inverse.m;
    double grid[4] = { m[0], m[1], m[3], m[4] };

    r->rounding += r->n_grids ? 0.5 : 0; /* the first rounds in the input, as one resampling does */
    memcpy(r->grid[r->n_grids++], grid, sizeof grid);
    if (a->family != FAMILY_RESAMPLE || !a->u.resample.antialias)
        r->plain_shrink = fmax(r->plain_shrink, stretch_of_map(&a->map.inverse).hi);
    else
        r->shrinks |= stretch_of_map(&a->map.inverse).hi > NO_SHRINK;
}

/* True if nearest-neighbor steps, joined, differ by more than a pixel from separate steps. Where
 * later steps enlarge, a pixel of this canvas becomes several. */
static bool is_rounding_seen(const struct composed_map *r, double enlarged)
{
    return r->rounding * M_SQRT2 > 1 || (r->rounding > 0 && enlarged > LITTLE_SHRINK);
}

/* Returns why the composed map cannot replace its actions, or NULL. */
static const char *loss_of(const struct composed_map *r, double enlarged)
{
    return r->n_grids > 1 && r->shrinks
               ? "a filter that shrinks cannot be combined with another resampling"
           : is_detail_lost(r)
               ? "a smaller canvas in between loses detail that one resampling would keep"
           : is_more_skipped(r)
               ? "one resampling would skip pixels that several resamplings do not skip"
           : r->interpolation == INTERPOLATION_NEAREST && is_rounding_seen(r, enlarged)
               ? "the rounding of nearest pixels adds up to more than a pixel"
               : NULL;
}

bool composed_add(struct composed_map *r, const struct action *a, size_t n_pointwise,
                  double enlarged, struct arena *arena, const char **reason)
{
    struct composed_map next = *r;
    bool cuts = a->family == FAMILY_MATRIX || (a->family == FAMILY_INDEX && index_has_fill(a)),
         cut = false;
    bool filled = r->edges.n > 0;

    next.out = a->out;
    next.inverse = mat3_then(&a->map.inverse, &r->inverse);
    next.interpolation = taps_of(a) > r->interpolation ? taps_of(a) : r->interpolation;
    next.antialias |= a->family == FAMILY_RESAMPLE && a->u.resample.antialias;
    if (a->family == FAMILY_FIELD)
        *reason = "a displacement field cannot be part of a combined resampling";
    else if (a->family == FAMILY_ALIGN)
        *reason = "means of samples in a box cannot be part of a combined resampling";
    else if (is_mirrored(a))
        *reason = "a repeated or mirrored border cannot be part of a combined resampling";
    else if (!mat3_is_affine(&a->map.inverse))
        *reason = "a map that is not affine cannot be part of a combined resampling";
    else if (next.interpolation > INTERPOLATION_BILINEAR && !mat3_is_axis_aligned(&next.inverse))
        *reason = "cubic and Lanczos filters work along rows and columns only";
    else if (action_resamples(a) && r->n_grids == COMPOSED_GRIDS)
        *reason = "at most eight resamplings can be combined";
    else
        next.edges = edges_after(&r->edges, a, cuts, &cut, arena);
    if (!*reason && cut && filled && !fill_equal(&a->fill, &r->fill))
        *reason = "two borders are filled differently";
    if (!*reason && cut && filled && n_pointwise != r->fill_at)
        *reason = "colours change between two borders";
    if (!*reason && action_resamples(a)) {
        add_grid(&next, a);
        next.rounding *= stretch_of_map(&a->map.forward).hi;
        *reason = loss_of(&next, enlarged);
    }
    if (*reason)
        return false;
    if (cut) {
        next.fill = a->fill;
        next.fill_at = n_pointwise;
    }
    *r = next;
    return true;
}

/* --- queries --- */

struct point composed_shrink(const struct composed_map *r)
{
    const double *m = r->inverse.m;

    return (struct point){ hypot(m[0], m[1]), hypot(m[3], m[4]) };
}

struct range composed_apart(const struct composed_map *r)
{
    return stretch_of_map(&r->inverse);
}

struct point composed_reduction(const struct composed_map *r)
{
    struct mat3 forward;

    if (!mat3_invert(&r->inverse, &forward))
        return (struct point){ 1, 1 };
    return (struct point){ fmax(1, 1 / hypot(forward.m[0], forward.m[3])),
                           fmax(1, 1 / hypot(forward.m[1], forward.m[4])) };
}

static struct box corners_of(const struct composed_map *r)
{
    struct point corner[4];

    for (int i = 0; i < 4; i++)
        corner[i] = mat3_apply(
            &r->inverse, (struct point){ i & 1 ? r->out.width : 0, i & 2 ? r->out.height : 0 });
    return box_of_points(corner, 4);
}

struct box composed_shown(const struct composed_map *r)
{
    return box_intersect(corners_of(r), box_of_frame(r->in));
}

struct box composed_window(const struct composed_map *r)
{
    struct point shrink = composed_shrink(r);
    double lobes = r->interpolation == INTERPOLATION_LANCZOS ? 3 : 2;
    /* twice the margin for luma: chroma planes may have half its pixels */
    double x = 2 * (lobes * fmax(1, shrink.x) + 1), y = 2 * (lobes * fmax(1, shrink.y) + 1);
    struct box b;

    b = corners_of(r);
    b = (struct box){ floor(b.x0 - x), floor(b.y0 - y), ceil(b.x1 + x), ceil(b.y1 + y) };
    return box_intersect(b, box_of_frame(r->in));
}

/* Returns the index sign * i + shift, clamped to [0, limit), for each i below n; NULL if it is not
 * whole. */
static const int32_t *line_of(double sign, double shift, int n, int limit, struct arena *arena)
{
    int32_t *index = ARENA_ARRAY(arena, int32_t, (size_t)n);
    double first = sign > 0 ? shift : shift - 1;

    if (fabs(first - nearbyint(first)) > 1e-9 || fabs(first) > 1e6)
        return NULL;
    for (int i = 0; i < n; i++) {
        int at = (int)nearbyint(first) + (sign > 0 ? i : -i);

        index[i] = at < 0 ? 0 : at < limit ? at : limit - 1; /* edges mark the pixels outside */
    }
    return index;
}

bool composed_is_index(const struct composed_map *r, struct arena *arena, const int32_t **col,
                       const int32_t **row, bool *swap)
{
    const double *m = r->inverse.m;
    double along = m[0] == 0 ? m[1] : m[0], down = m[0] == 0 ? m[3] : m[4];

    *swap = m[0] == 0;
    if (!mat3_is_axis_aligned(&r->inverse) || fabs(along) != 1 || fabs(down) != 1)
        return false;
    *col = line_of(along, m[2], *swap ? r->out.height : r->out.width, r->in.width, arena);
    *row = line_of(down, m[5], *swap ? r->out.width : r->out.height, r->in.height, arena);
    return *col && *row;
}

/* Rounds coefficients so that sums and products with them are exact up to 2^16 pixels. The same
 * pixel is then found however much of the source was read. The error is at most 2^-14 pixel. */
static struct mat3 rounded(const struct mat3 *m)
{
    struct mat3 r = *m;

    for (int i = 0; i < 6; i++)
        r.m[i] = i % 3 == 2 ? nearbyint(m->m[i] * 0x1p20) * 0x1p-20
                            : nearbyint(m->m[i] * 0x1p30) * 0x1p-30;
    return r;
}

struct composed_map composed_scaled(const struct composed_map *r, struct point origin,
                                    struct point in, struct point out, struct arena *arena)
{
    struct mat3 shrunk = { { 1 / out.x, 0, 0, 0, 1 / out.y, 0, 0, 0, 1 } };
    struct mat3 grown = { { in.x, 0, 0, 0, in.y, 0, 0, 0, 1 } };
    struct edge *at = ARENA_ARRAY(arena, struct edge, r->edges.n);
    struct composed_map scaled = *r;

    scaled.inverse = mat3_then(&shrunk, &r->inverse);
    scaled.inverse = mat3_then(&scaled.inverse, &grown);
    scaled.inverse = rounded(&scaled.inverse);
    scaled.inverse.m[2] -= origin.x * in.x;
    scaled.inverse.m[5] -= origin.y * in.y;
    scaled.in = (struct frame){ (int)ceil((r->in.width - origin.x) * in.x),
                                (int)ceil((r->in.height - origin.y) * in.y) };
    scaled.out =
        (struct frame){ (int)ceil(r->out.width * out.x), (int)ceil(r->out.height * out.y) };
    for (size_t i = 0; i < r->edges.n; i++)
        at[i] = edge_moved(&r->edges.at[i], &shrunk);
    scaled.edges = (struct edges){ at, r->edges.n };
    return scaled;
}
