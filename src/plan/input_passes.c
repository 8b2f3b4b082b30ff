/* input_passes: what an input of a join goes through. */
#include "plan/input_passes.h"

#include "plan/render.h"

static struct rect rect_common(struct rect a, struct rect b)
{
    int x0 = a.x > b.x ? a.x : b.x, y0 = a.y > b.y ? a.y : b.y;
    int x1 = a.x + a.w < b.x + b.w ? a.x + a.w : b.x + b.w;
    int y1 = a.y + a.h < b.y + b.h ? a.y + a.h : b.y + b.h;

    return (struct rect){ x0, y0, x1 - x0, y1 - y0 };
}

/* Beyond the edge nothing changes, so that mirrored borders are zeros, too. */
struct rect cut_out_reach(const struct rle *mask, struct frame canvas)
{
    enum { EDGE = 4 };
    struct box b = rle_bounds(mask);
    struct rect reach = { (int)b.x0 - EDGE, (int)b.y0 - EDGE, (int)(b.x1 - b.x0) + 2 * EDGE,
                          (int)(b.y1 - b.y0) + 2 * EDGE };

    return rect_common(reach, (struct rect){ 0, 0, canvas.width, canvas.height });
}

/* What is seen of an input, in its own pixels: one of them where it is nothing, since a source must
 * be read to be known as whole. */
static struct rect seen_of(const struct lay *lay, struct frame canvas)
{
    struct rect seen = rect_common(lay->part, (struct rect){ 0, 0, canvas.width, canvas.height });

    if (lay->cut_out && rle_area(lay->cut_out))
        seen = rect_common(seen, cut_out_reach(lay->cut_out, canvas));
    if (seen.w < 1 || seen.h < 1 || (lay->cut_out && !rle_area(lay->cut_out)))
        return (struct rect){ 0, 0, 1, 1 };
    seen.x -= lay->part.x;
    seen.y -= lay->part.y;
    return seen;
}

/* --- the last pass makes no more than is seen --- */

static const int32_t *line_from(struct arena *arena, int first, int n)
{
    int32_t *index = ARENA_ARRAY(arena, int32_t, (size_t)n);

    for (int i = 0; i < n; i++)
        index[i] = first + i;
    return index;
}

/* Cut out of what a frame shows. */
static struct action excerpt(struct frame in, struct rect part, struct arena *arena)
{
    struct action a = { .family = FAMILY_INDEX, .in = in, .out = { part.w, part.h } };

    a.u.index.col = line_from(arena, part.x, part.w);
    a.u.index.row = line_from(arena, part.y, part.h);
    return a;
}

/* False when the last pass makes all of it. */
static bool trim(struct passes *passes, struct frame in, struct rect part, struct arena *arena)
{
    struct pass *last = &passes->at[passes->n - 1];
    struct action *head = ARENA_NEW(arena, struct action), cut;
    const char *reason;

    if (passes->optimize != OPTIMIZE_EXACT || last->whole || last->composed_only)
        return false;
    cut = excerpt(in, part, arena);
    if (!last->head)
        *head = cut;
    else if (last->head->family == FAMILY_RESAMPLE)
        resample_join(last->head, &cut, head);
    else if (last->head->family != FAMILY_INDEX ||
             !index_join(arena, last->head, &cut, head, &reason))
        return false;
    last->head = head;
    return true;
}

struct input_passes input_passes_of(const struct action *join, size_t input, enum optimize optimize,
                                    struct arena *arena)
{
    const struct drawn_ops *drawn_ops = &join->u.join.input[input];
    const struct lay *lay = &join->u.join.lay[input];
    struct frame made = { lay->part.w, lay->part.h };
    struct rect seen = seen_of(lay, join->out);
    struct input_passes p = { .left = lay->part.x, .top = lay->part.y };

    if (optimize == OPTIMIZE_FAST) /* its shortcuts stay out of joins */
        optimize = OPTIMIZE_EXACT;
    p.passes = passes_of(drawn_ops, optimize, arena, NULL);
    if (optimize == OPTIMIZE_NONE)
        return p;
    if (!p.passes.n) {
        p.hints = (struct decode_hints){
            .left = seen.x, .top = seen.y, .width = seen.w, .height = seen.h
        };
        return p;
    }
    if (!frame_equal(made, (struct frame){ seen.w, seen.h }) &&
        trim(&p.passes, made, seen, arena)) {
        p.left += seen.x;
        p.top += seen.y;
    }
    render_hints(drawn_ops, &p.passes, false, arena, &p.hints);
    return p;
}

/* --- the image itself --- */

void join_hints(const struct action *join, enum optimize optimize, struct arena *arena,
                struct decode_hints *hints)
{
    int x0 = INT32_MAX, y0 = INT32_MAX, x1 = 0, y1 = 0;

    for (size_t i = 0; i < join->u.join.n; i++) {
        const struct input_passes p = input_passes_of(join, i, optimize, arena);
        const struct decode_hints *h = &p.hints;

        if (join->u.join.lay[i].borrowed)
            continue;
        if (!h->width)
            return;
        x0 = h->left < x0 ? h->left : x0;
        y0 = h->top < y0 ? h->top : y0;
        x1 = h->left + h->width > x1 ? h->left + h->width : x1;
        y1 = h->top + h->height > y1 ? h->top + h->height : y1;
    }
    if (x1 <= x0) { /* it is nowhere to be seen */
        x0 = y0 = 0;
        x1 = y1 = 1;
    }
    hints->left = x0;
    hints->top = y0;
    hints->width = x1 - x0;
    hints->height = y1 - y0;
}
