/* rle_compose: masks moved by several maps at once. */
#include "geom/affine_chain.h"

#include "base/cpu.h"
#include "geom/field.h"
#include "geom/map.h"

#include <math.h>
#include <stdlib.h>

static struct moves list_moves(struct arena *arena, const struct rle_moves *last)
{
    struct moves moves = { 0 };
    size_t n = 0;

    for (const struct rle_moves *m = last; m; m = m->before)
        n++;
    moves.at = ARENA_ARRAY(arena, const struct rle_moves *, n);
    for (const struct rle_moves *m = last; m; m = m->before)
        moves.at[moves.n++] = m;
    return moves;
}

/* --- what can be reached --- */

/* The corners of what can take something from between four points. */
static void reach(const struct rle_moves *move, struct point corner[4])
{
    const struct field *f = move->map->field;

    if (f) {
        struct box b = box_of_points(corner, 4);

        box_corners((struct box){ b.x0 - f->range.x1, b.y0 - f->range.y1, b.x1 - f->range.x0,
                                  b.y1 - f->range.y0 },
                    corner);
    } else if (mat3_sees_all(&move->map->forward, corner, 4)) {
        mat3_apply_all(&move->map->forward, corner, 4);
    } else {
        box_corners(box_of_frame(move->out), corner);
    }
}

/* The whole pixels of the last frame that can take something from the box. */
static struct box reach_through(const struct moves *moves, struct box b)
{
    struct point corner[4];

    box_corners(b, corner);
    for (size_t i = moves->n; i-- > 0;) {
        struct frame out = moves->at[i]->out;

        reach(moves->at[i], corner);
        b = box_of_points(corner, COUNTOF(corner));
        /* Add a pixel, since a map and its inverse match only up to rounding. */
        b = (struct box){ floor(b.x0) - 1, floor(b.y0) - 1, ceil(b.x1) + 1, ceil(b.y1) + 1 };
        b = box_intersect(b, box_of_frame(out));
        if (box_is_empty(b))
            return (struct box){ 0 };
    }
    return b;
}

/* --- rows and columns --- */

static bool keep_axes(const struct moves *moves)
{
    for (size_t i = 0; i < moves->n; i++)
        if (!map_is_axis_aligned(moves->at[i]->map))
            return false;
    return true;
}

/* Returns where the point of the last frame comes from, along one axis of it, and along which axis
 * that is then; -1 for outside. */
static int32_t come_from(const struct moves *moves, double at, bool *down)
{
    for (size_t i = 0; i < moves->n; i++) {
        const struct rle_moves *move = moves->at[i];
        const double *m = move->map->inverse.m;
        bool turns = m[0] == 0;
        const double *line = *down != turns ? m + 3 : m;

        at = line[*down] * at + line[2];
        *down ^= turns;
        if (!(at >= 0 && at < (*down ? move->in.height : move->in.width)))
            return -1;
    }
    return (int32_t)at;
}

/* Finds the source pixel of each of n pixels of the last frame, along one axis of it. */
static int32_t *lines_of(const struct moves *moves, bool down, int n)
{
    int32_t *line = memory_take((size_t)n * sizeof *line);

    for (int i = 0; i < n; i++) {
        bool axis = down;

        line[i] = come_from(moves, i + 0.5, &axis);
    }
    return line;
}

static struct rle move_lines(struct arena *arena, const struct rle *m, const struct moves *moves)
{
    struct frame out = moves->at[0]->out;
    int32_t *across = lines_of(moves, false, out.width), *down = lines_of(moves, true, out.height);
    struct map map = { .col = across, .row = down };
    struct rle moved;

    for (size_t i = 0; i < moves->n; i++)
        map.swap ^= moves->at[i]->map->inverse.m[0] == 0;
    if (map.swap)
        map = (struct map){ .col = down, .row = across, .swap = true };
    moved = rle_move(arena, m, &map, out);
    free(across);
    free(down);
    return moved;
}

/* --- pixel by pixel --- */

/* Points of a column on their way back; x is not a number when one came from outside of a frame. */
struct points {
    double *x, *y;
    size_t n;
};

/* The point's x if it lies inside of the frame. Without branches, for vectors. */
static inline double x_in(double x, double y, struct frame in)
{
    bool inside = (x >= 0) & (y >= 0) & (x < in.width) & (y < in.height);

    return inside ? x : NAN;
}

VARIANTS static void back_by_affine(struct points *p, const struct mat3 *inverse, struct frame in)
{
    const double *m = inverse->m;
    double *restrict x = p->x, *restrict y = p->y;

    for (size_t i = 0; i < p->n; i++) {
        double u = m[0] * x[i] + m[1] * y[i] + m[2], v = m[3] * x[i] + m[4] * y[i] + m[5];

        x[i] = x_in(u, v, in);
        y[i] = v;
    }
}

VARIANTS static void back_by_matrix(struct points *p, const struct mat3 *inverse, struct frame in)
{
    const double *m = inverse->m;
    double *restrict x = p->x, *restrict y = p->y;

    for (size_t i = 0; i < p->n; i++) {
        double w = m[6] * x[i] + m[7] * y[i] + m[8];
        double u = (m[0] * x[i] + m[1] * y[i] + m[2]) / w;
        double v = (m[3] * x[i] + m[4] * y[i] + m[5]) / w;

        x[i] = x_in(u, v, in);
        y[i] = v;
    }
}

static void back_by_field(struct points *p, const struct field *field, struct frame in)
{
    for (size_t i = 0; i < p->n; i++) {
        struct point from;

        if (isnan(p->x[i]))
            continue;
        from = field_source(field, (struct point){ p->x[i], p->y[i] });
        p->x[i] = x_in(from.x, from.y, in);
        p->y[i] = from.y;
    }
}

static void go_back(struct points *p, const struct moves *moves)
{
    for (size_t i = 0; i < moves->n; i++) {
        const struct rle_moves *move = moves->at[i];

        if (move->map->field)
            back_by_field(p, move->map->field, move->in);
        else if (mat3_is_affine(&move->map->inverse))
            back_by_affine(p, &move->map->inverse, move->in);
        else
            back_by_matrix(p, &move->map->inverse, move->in);
    }
}

/* Computes the places in the block of a column's points; its first row and column are outside. */
VARIANTS static void find_places(const struct points *p, const struct block *k,
                                 int64_t *restrict place)
{
    double left = k->x0, right = left + k->width, top = k->y0, bottom = top + k->height;
    int64_t stride = (int64_t)block_stride(k);

    for (size_t i = 0; i < p->n; i++) {
        double x = p->x[i], y = p->y[i];
        bool inside = (x >= left) & (x < right) & (y >= top) & (y < bottom);
        int32_t column = (int32_t)(inside ? x : left - 1) - (k->x0 - 1);
        int32_t row = (int32_t)(inside ? y : top - 1) - (k->y0 - 1);

        place[i] = column * stride + row;
    }
}

/* Computes the bits of column x, looking up each point by itself. */
static void ask_points(const struct moves *moves, const struct block *k, int x, double top,
                       struct points *p, int64_t *place, uint8_t *bit)
{
    for (size_t i = 0; i < p->n; i++) {
        p->x[i] = x + 0.5;
        p->y[i] = top + (double)i + 0.5;
    }
    go_back(p, moves);
    find_places(p, k, place);
    for (size_t i = 0; i < p->n; i++)
        bit[i] = k->at[place[i]];
}

static struct rle move_points(struct arena *arena, const struct rle *m, const struct moves *moves)
{
    struct frame out = moves->at[0]->out;
    struct box from = rle_bounds(m), to = reach_through(moves, from);
    size_t height = (size_t)(to.y1 - to.y0);
    struct points p = { .n = height };
    uint8_t *bits = memory_take((size_t)(to.x1 - to.x0) * height), *bit = bits;
    struct block k = block_of(m, from);
    int64_t *place = memory_take(height * sizeof *place);
    int32_t *near = memory_take(height * sizeof *near);
    struct affine_chain chain;
    bool composed = affine_chain_compose(moves, &k, to, &chain);
    struct rle moved;

    p.x = memory_take(2 * height * sizeof *p.x);
    p.y = p.x + height;
    for (int x = (int)to.x0; x < (int)to.x1; x++, bit += height)
        if (!composed || !affine_chain_column(&chain, &k, x, near, bit))
            ask_points(moves, &k, x, to.y0, &p, place, bit);
    moved = rle_of_bits(arena, bits, to, out);
    free(near);
    free(place);
    free(p.x);
    free(bits);
    free(k.at);
    return moved;
}

struct rle rle_move_through(struct arena *arena, const struct rle *m, const struct rle_moves *last)
{
    struct moves moves;

    if (!last->before || !rle_area(m) || last->out.width <= 0 || last->out.height <= 0)
        return rle_move(arena, m, last->map, last->out);
    moves = list_moves(arena, last);
    return keep_axes(&moves) ? move_lines(arena, m, &moves) : move_points(arena, m, &moves);
}
