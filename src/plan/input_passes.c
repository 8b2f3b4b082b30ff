/* input_passes: what an input of a join goes through. */
#include "plan/input_passes.h"

#include "plan/clamp_check.h"
#include "plan/planar_check.h"

#include <math.h>

static struct rect rect_common(struct rect a, struct rect b)
{
    int x0 = a.x > b.x ? a.x : b.x, y0 = a.y > b.y ? a.y : b.y;
    int x1 = a.x + a.w < b.x + b.w ? a.x + a.w : b.x + b.w;
    int y1 = a.y + a.h < b.y + b.h ? a.y + a.h : b.y + b.h;

    return (struct rect){ x0, y0, x1 - x0, y1 - y0 };
}

/* The edge of 4 pixels reaches beyond the feather, so mirrored borders of the weights are zero. */
struct rect cut_out_reach(const struct rle *mask, struct frame canvas)
{
    enum { EDGE = 4 };
    struct box b = rle_bounds(mask);
    struct rect reach = { (int)b.x0 - EDGE, (int)b.y0 - EDGE, (int)(b.x1 - b.x0) + 2 * EDGE,
                          (int)(b.y1 - b.y0) + 2 * EDGE };

    return rect_common(reach, (struct rect){ 0, 0, canvas.width, canvas.height });
}

/* Returns the visible part of an input, in its own pixels. If no pixel is visible, one pixel: a
 * source must be read so that errors in it are found. */
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

/* Returns an index map that crops a frame to a part. */
static struct action excerpt(struct frame in, struct rect part, struct arena *arena)
{
    struct action a = { .family = FAMILY_INDEX, .in = in, .out = { part.w, part.h } };

    a.u.index.col = line_from(arena, part.x, part.w);
    a.u.index.row = line_from(arena, part.y, part.h);
    return a;
}

/* Limits the last pass to a part of its result. Returns false if it must make all. */
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
    const struct resolved_ops *resolved_ops = &join->u.join.input[input];
    const struct lay *lay = &join->u.join.lay[input];
    struct frame made = { lay->part.w, lay->part.h };
    struct rect seen = seen_of(lay, join->out);
    struct input_passes p = { .left = lay->part.x, .top = lay->part.y };

    if (optimize == OPTIMIZE_FAST) /* joins take no shortcuts */
        optimize = OPTIMIZE_EXACT;
    p.passes = passes_of(resolved_ops, optimize, arena, NULL);
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
    render_hints(resolved_ops, &p.passes, false, arena, &p.hints);
    return p;
}

/* --- inputs made of the image itself --- */

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
    if (x1 <= x0) { /* the image is nowhere visible */
        x0 = y0 = 0;
        x1 = y1 = 1;
    }
    hints->left = x0;
    hints->top = y0;
    hints->width = x1 - x0;
    hints->height = y1 - y0;
}

/* --- how a source is best read --- */

/* Returns the columns and rows that an index map reads. */
static struct box index_window(const struct action *a)
{
    const int32_t *line[2] = { a->u.index.col, a->u.index.row };
    int n[2] = { a->out.width, a->out.height }, lo[2], hi[2];

    for (int i = 0; i < 2; i++) {
        int count = n[a->u.index.swap ? 1 - i : i];

        lo[i] = INT32_MAX;
        hi[i] = 0;
        for (int k = 0; k < count; k++)
            if (line[i][k] >= 0) {
                lo[i] = line[i][k] < lo[i] ? line[i][k] : lo[i];
                hi[i] = line[i][k] >= hi[i] ? line[i][k] + 1 : hi[i];
            }
    }
    return (struct box){ lo[0], lo[1], hi[0], hi[1] };
}

static bool resamples_part(const struct action *a)
{
    return a->family == FAMILY_RESAMPLE && !frame_equal(a->out, a->u.resample.whole);
}

/* Returns the pixels that a resize reads for the required part of its result. */
static struct box resample_window(const struct action *a)
{
    struct resize_part part = resample_part(a);

    return box_of_rect(resize_takes(&part));
}

static struct box box_join(struct box a, struct box b)
{
    if (box_is_empty(a) || box_is_empty(b))
        return box_is_empty(a) ? b : a;
    return (struct box){ fmin(a.x0, b.x0), fmin(a.y0, b.y0), fmax(a.x1, b.x1), fmax(a.y1, b.y1) };
}

/* The decoder's filter differs from the filter of a resize. More pixels than needed are read, and
 * twice as many if color ops amplify differences or a sharper filter follows. */
#define LEFT 1.25
#define LITTLE_GAIN 2
#define MAX_GAIN 4

/* Returns the decoder's strongest reduction, 1, 2, 4 or 8, that leaves enough pixels. */
static int decoder_shrink(const struct composed_map *r, double gain)
{
    double apart = composed_apart(r).lo / (r->interpolation > INTERPOLATION_BILINEAR ? 2 : LEFT) /
                   (gain > LITTLE_GAIN ? 2 : 1);
    int shrink = 1;

    if (!r->antialias || r->interpolation == INTERPOLATION_NEAREST || gain > MAX_GAIN)
        return 1;
    while (shrink < 8 && 2 * shrink <= apart)
        shrink *= 2;
    return shrink;
}

/* True if clamping may turn out to matter: then colors are resampled only by the moves before them.
 */
static bool may_be_careful(const struct resolved_ops *resolved_ops, const struct pass *pass)
{
    for (size_t n = pointwise_blended(resolved_ops, pass); n > 0; n--)
        if (op_can_clamp(&resolved_ops->at[pass->pointwise[n - 1].op]))
            return true;
    return false;
}

void render_hints(const struct resolved_ops *resolved_ops, const struct passes *passes, bool jpegs,
                  struct arena *arena, struct decode_hints *hints)
{
    const struct pass *first = passes->n ? &passes->at[0] : NULL;
    struct box window;
    bool careful;

    *hints = (struct decode_hints){ .planar = jpegs && passes->optimize == OPTIMIZE_FAST &&
                                              can_use_planes(resolved_ops, passes) };
    if (!first || passes->optimize == OPTIMIZE_NONE)
        return;
    if (first->whole && first->whole->family == FAMILY_JOIN) {
        join_hints(first->whole, passes->optimize, arena, hints);
        return;
    }
    if (first->composed)
        hints->shrink = decoder_shrink(first->composed, passes->gain);
    careful = first->composed && may_be_careful(resolved_ops, first);
    if (careful && hints->shrink > 1)
        hints->shrink = first->early ? decoder_shrink(first->early, passes->gain) : 1;
    if (first->composed && (hints->planar || first->composed_only || hints->shrink > 1))
        window = careful && first->early
                     ? box_join(composed_window(first->composed), composed_window(first->early))
                     : composed_window(first->composed);
    else if (first->head && first->head->family == FAMILY_INDEX)
        window = index_window(first->head);
    else if (first->head && resamples_part(first->head) && !first->composed)
        window = resample_window(first->head);
    else
        return;
    for (size_t i = 0; i < first->n_pointwise; i++)
        if (first->pointwise[i].seen)
            window = box_join(window, composed_window(first->pointwise[i].seen));
        else if (resolved_ops->at[first->pointwise[i].op].op->needs)
            return;
    if (box_is_empty(window)) /* the result shows only the fill */
        window = (struct box){ 0, 0, 1, 1 };
    hints->left = (int)window.x0;
    hints->top = (int)window.y0;
    hints->width = (int)(window.x1 - window.x0);
    hints->height = (int)(window.y1 - window.y0);
}
