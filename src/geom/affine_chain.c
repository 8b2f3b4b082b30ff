/* affine_chain: several affine maps composed into one, for masks. */
#include "geom/affine_chain.h"

#include "base/cpu.h"

#include <float.h>
#include <math.h>
#include <string.h>

#define NEAR 1e-7 /* pixels: points nearer to an edge are left to the caller */
#define FLAT 1e-4 /* pixels a row: an edge that rises less is taken for parallel to the column */

static double at_corner(const struct half_plane *s, double x, double y)
{
    return s->x * x + s->y * y + s->shift;
}

/* True if the box is so far inside that this side need not be checked. */
static bool is_far(const struct half_plane *s, struct box b)
{
    return at_corner(s, b.x0, b.y0) > 1 && at_corner(s, b.x1, b.y0) > 1 &&
           at_corner(s, b.x1, b.y1) > 1 && at_corner(s, b.x0, b.y1) > 1;
}

/* Adds the sides between which the map sends points into the box. False if there are too many. */
static bool add_sides(struct affine_chain *s, const struct mat3 *map, struct box b)
{
    const double *m = map->m;
    const struct half_plane sides[] = { { m[0], m[1], m[2] - b.x0 },
                                        { -m[0], -m[1], b.x1 - m[2] },
                                        { m[3], m[4], m[5] - b.y0 },
                                        { -m[3], -m[4], b.y1 - m[5] } };

    for (size_t i = 0; i < COUNTOF(sides); i++) {
        if (is_far(&sides[i], s->to))
            continue;
        if (s->n == AFFINE_CHAIN_SIDES)
            return false;
        s->side[s->n++] = sides[i];
    }
    return true;
}

/* The largest coordinate that a map makes of coordinates up to `reach`. `error`, how far rounding
 * may have moved a point, in pixels, grows by the map's scale and its own rounding. */
static double add_error(const double *m, double reach, double *error)
{
    double max = fmax(fabs(m[0]) + fabs(m[1]), fabs(m[3]) + fabs(m[4]));

    reach = max * reach + fmax(fabs(m[2]), fabs(m[5]));
    *error = max * *error + 8 * DBL_EPSILON * reach;
    return reach;
}

bool affine_chain_compose(const struct moves *moves, const struct block *k, struct box to,
                          struct affine_chain *s)
{
    struct box inside = { k->x0, k->y0, (double)k->x0 + k->width, (double)k->y0 + k->height };
    double reach = fmax(to.x1, to.y1), error = 0;
    struct mat3 all = MAT3_IDENTITY;

    *s = (struct affine_chain){ .to = to, .stride = (int32_t)block_stride(k) };
    for (size_t i = 0; i < moves->n; i++) {
        const struct rle_moves *move = moves->at[i];

        if (move->map->field || !mat3_is_affine(&move->map->inverse))
            return false;
        all = mat3_then(&all, &move->map->inverse);
        reach = add_error(move->map->inverse.m, reach, &error);
        if (!add_sides(s, &all, box_of_frame(move->in)))
            return false;
    }
    memcpy(s->m, all.m, sizeof s->m);
    s->m[2] -= k->x0 - 1;
    s->m[5] -= k->y0 - 1;
    /* Twice, for the rounding in composing the maps, and twice more as a margin. */
    return add_sides(s, &all, inside) && 4 * error < NEAR && block_size(k) <= INT32_MAX;
}

/* --- a column --- */

/* Reduces the rows [begin, end) of a column to those whose centers are inside the side; (x, y) is
 * the first row's center. False if the edge is too close to a center. */
static bool cut_rows(const struct half_plane *s, double x, double y, int rows, int *begin, int *end)
{
    double first = s->x * x + s->y * y + s->shift, row;

    if (fabs(s->y) < FLAT) {
        if (fabs(first) <= NEAR + FLAT * rows)
            return false;
        if (first < 0)
            *end = 0;
        return true;
    }
    row = -first / s->y;
    if (row > -1 && row < rows && fabs(row - nearbyint(row)) * fabs(s->y) < NEAR)
        return false;
    row = fmin(fmax(row, -1), rows);
    if (s->y > 0 && ceil(row) > *begin)
        *begin = (int)ceil(row);
    if (s->y < 0 && floor(row) + 1 < *end)
        *end = (int)floor(row) + 1;
    return true;
}

/* Computes the places in the block of n points, `step` apart. True if one is near a pixel's edge.
 */
VARIANTS static bool find_places(const struct point from, const struct point step, int n,
                                 int32_t stride, int32_t *restrict place)
{
    int64_t near = 0;

    for (int i = 0; i < n; i++) {
        double x = from.x + step.x * i, y = from.y + step.y * i;
        int32_t column = (int32_t)x, row = (int32_t)y;

        near |= fabs(x - column - 0.5) > 0.5 - NEAR;
        near |= fabs(y - row - 0.5) > 0.5 - NEAR;
        place[i] = column * stride + row;
    }
    return near;
}

bool affine_chain_column(const struct affine_chain *s, const struct block *k, int x, int32_t *place,
                         uint8_t *bit)
{
    const double *m = s->m, across = x + 0.5, top = s->to.y0 + 0.5;
    int rows = (int)(s->to.y1 - s->to.y0), begin = 0, end = rows;
    const uint8_t *at = k->at; /* `bit` might be that, for all a compiler knows */
    struct point from;

    for (size_t i = 0; i < s->n; i++)
        if (!cut_rows(&s->side[i], across, top, rows, &begin, &end))
            return false;
    if (begin >= end) {
        memset(bit, 0, (size_t)rows);
        return true;
    }
    from = (struct point){ m[0] * across + m[1] * (top + begin) + m[2],
                           m[3] * across + m[4] * (top + begin) + m[5] };
    if (find_places(from, (struct point){ m[1], m[4] }, end - begin, s->stride, place))
        return false;
    memset(bit, 0, (size_t)begin);
    for (int i = begin; i < end; i++)
        bit[i] = at[place[i - begin]];
    memset(bit + end, 0, (size_t)(rows - end));
    return true;
}
