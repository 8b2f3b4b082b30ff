/* geometric_params: actions that move pixels and labels: windows, turns, warps, fields, resizes. */
#include "steps/op_shared/actions.h"

#include "geom/field.h"

/* --- whole pixels --- */

/* Uses the indices of the labels' map for pixels too. */
static void index_as_map(struct action *a)
{
    a->family = FAMILY_INDEX;
    a->u.index.col = a->map.col;
    a->u.index.row = a->map.row;
    a->u.index.swap = a->map.swap;
}

/* Returns the source index of each of n pixels along an axis of `limit` pixels, for the map x ->
 * sign * x + shift of their centers. Indices outside follow the border mode. */
static int32_t *indices(struct arena *arena, int n, double sign, double shift, int limit,
                        enum padding_mode border)
{
    int32_t *index = ARENA_ARRAY(arena, int32_t, (size_t)n);
    int step = sign > 0 ? 1 : -1, first = (int)shift + (sign > 0 ? 0 : -1);
    int before = sign > 0 ? -first : first - limit + 1; /* of the first pixel inside */
    int begin = before < 0 ? 0 : before > n ? n : before;
    int end = before + limit < begin ? begin : before + limit > n ? n : before + limit;

    for (int i = 0; i < begin; i++)
        index[i] = border_index(border, first + step * i, limit);
    for (int i = begin; i < end; i++)
        index[i] = first + step * i;
    for (int i = end; i < n; i++)
        index[i] = border_index(border, first + step * i, limit);
    return index;
}

/* A map that moves whole pixels; FAMILY_NOTHING if it is the identity. */
static void action_place(const struct scene *scene, struct action *a, const struct mat3 *forward,
                         struct frame out)
{
    struct map *map = &a->map;
    const double *back = map->inverse.m;
    bool swap = forward->m[0] == 0;

    a->out = out;
    if (mat3_is_identity(forward) && frame_equal(a->in, out))
        return;
    map->forward = *forward;
    mat3_invert(forward, &map->inverse);
    map->swap = swap;
    for (int mirrored = 0; mirrored < (a->fill.border == PADDING_CONSTANT ? 1 : 2); mirrored++) {
        enum padding_mode border = mirrored ? a->fill.border : PADDING_CONSTANT;
        int32_t *col = indices(scene->arena, swap ? out.height : out.width, back[swap ? 1 : 0],
                               back[2], a->in.width, border);
        int32_t *row = indices(scene->arena, swap ? out.width : out.height, back[swap ? 3 : 4],
                               back[5], a->in.height, border);

        if (!mirrored) {
            map->col = col;
            map->row = row;
            index_as_map(a);
        }
        a->u.index.col = col;
        a->u.index.row = row;
    }
}

void action_window(const struct scene *scene, struct action *a, int top, int left, struct frame out)
{
    action_place(scene, a, &(struct mat3){ { 1, 0, -left, 0, 1, -top, 0, 0, 1 } }, out);
}

void action_turn(const struct scene *scene, struct action *a, bool mirror, int turns)
{
    /* A counterclockwise quarter turn sends (x, y) to (y, width - x). */
    struct mat3 m = MAT3_IDENTITY;
    struct frame frame = a->in;

    turns = (turns % 4 + 4) % 4;
    if (mirror)
        m = (struct mat3){ { -1, 0, frame.width, 0, 1, 0, 0, 0, 1 } };
    for (int i = 0; i < turns; i++) {
        struct mat3 quarter = { { 0, 1, 0, -1, 0, frame.width, 0, 0, 1 } };

        m = mat3_then(&m, &quarter);
        frame = (struct frame){ frame.height, frame.width };
    }
    action_place(scene, a, &m, frame);
}

/* --- warps --- */

bool action_warp(const struct scene *scene, struct action *a, const struct mat3 *forward,
                 struct frame out, enum interpolation interpolation)
{
    if (mat3_is_placement(forward)) {
        action_place(scene, a, forward, out);
        return true;
    }
    a->family = FAMILY_MATRIX;
    a->out = out;
    a->map.forward = *forward;
    a->map.blends = interpolation != INTERPOLATION_NEAREST;
    a->u.matrix.interpolation = interpolation;
    if (!mat3_invert(forward, &a->map.inverse)) {
        text_adds(scene->why, "the map has no inverse");
        return false;
    }
    return true;
}

bool action_field(const struct scene *scene, struct action *a, const struct field *field,
                  enum interpolation interpolation)
{
    struct box r = field->range;

    if (!(fmax(fmax(-r.x0, r.x1), fmax(-r.y0, r.y1)) <= 1e6)) { /* NaN fails too */
        text_adds(scene->why, "a displacement is too large");
        return false;
    }
    if (r.x0 == 0 && r.y0 == 0 && r.x1 == 0 && r.y1 == 0)
        return true;
    a->family = FAMILY_FIELD;
    a->map.field = field;
    a->map.blends = interpolation != INTERPOLATION_NEAREST;
    a->u.field.interpolation = interpolation;
    return true;
}

/* --- resizes --- */

static int32_t *resized(struct arena *arena, int out, int in)
{
    int32_t *index = ARENA_ARRAY(arena, int32_t, (size_t)out);

    for (int i = 0; i < out; i++)
        index[i] = resize_index(i, in, out);
    return index;
}

void action_resize(const struct scene *scene, struct action *a, struct frame out,
                   enum interpolation interpolation, bool antialias)
{
    double sx = (double)out.width / a->in.width, sy = (double)out.height / a->in.height;

    a->out = out;
    if (frame_equal(a->in, out))
        return;
    a->map = (struct map){
        .forward = { { sx, 0, 0, 0, sy, 0, 0, 0, 1 } },
        .inverse = { { 1 / sx, 0, 0, 0, 1 / sy, 0, 0, 0, 1 } },
        .col = resized(scene->arena, out.width, a->in.width),
        .row = resized(scene->arena, out.height, a->in.height),
        .blends = interpolation != INTERPOLATION_NEAREST,
    };
    if (!a->map.blends) {
        index_as_map(a);
        return;
    }
    a->family = FAMILY_RESAMPLE;
    a->u.resample.interpolation = interpolation;
    a->u.resample.antialias = antialias;
    a->u.resample.whole = out;
    a->u.resample.left = a->u.resample.top = 0;
}

/* --- means in cells --- */

/* Returns the pixel under the middle of each cell; -1 if it is outside of 0..limit. */
static int32_t *middles(struct arena *arena, int n, double begin, double step, int limit)
{
    int32_t *index = ARENA_ARRAY(arena, int32_t, (size_t)n);

    for (int i = 0; i < n; i++) {
        double at = floor(begin + (i + 0.5) * step);

        index[i] = at >= 0 && at < limit ? (int32_t)at : -1;
    }
    return index;
}

void action_align(const struct scene *scene, struct action *a, struct box box, struct frame out,
                  int across, int down)
{
    double x = (box.x1 - box.x0) / out.width, y = (box.y1 - box.y0) / out.height;

    a->out = out;
    if (across == 1 && down == 1 && x == 1 && y == 1 && box.x0 == 0 && box.y0 == 0 &&
        frame_equal(a->in, out))
        return; /* each sample is at a pixel's center */
    a->family = FAMILY_ALIGN;
    a->map = (struct map){
        .forward = { { 1 / x, 0, -box.x0 / x, 0, 1 / y, -box.y0 / y, 0, 0, 1 } },
        .inverse = { { x, 0, box.x0, 0, y, box.y0, 0, 0, 1 } },
        .col = middles(scene->arena, out.width, box.x0, x, a->in.width),
        .row = middles(scene->arena, out.height, box.y0, y, a->in.height),
        .blends = true,
    };
    a->u.align.across = across;
    a->u.align.down = down;
}
