/* render_hints: how a source is best read for the passes that follow. */
#include "plan/clamp_check.h"
#include "plan/input_passes.h"
#include "plan/planar.h"
#include "plan/render.h"

#include <math.h>

/* The columns and rows that an index map takes. */
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

/* The pixels that what is cut out of a resize takes. */
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

/* The decoder's filter is another: it leaves more pixels than are wanted, and twice as many where
 * colours grow or a sharper filter follows. */
#define LEFT 1.25
#define LITTLE_GAIN 2
#define MOST_GAIN 4

/* The largest fraction of the decoder's that leaves enough pixels. */
static int decoder_shrink(const struct composed_map *r, double gain)
{
    double apart = composed_apart(r).lo / (r->interpolation > INTERPOLATION_BILINEAR ? 2 : LEFT) /
                   (gain > LITTLE_GAIN ? 2 : 1);
    int shrink = 1;

    if (!r->antialias || r->interpolation == INTERPOLATION_NEAREST || gain > MOST_GAIN)
        return 1;
    while (shrink < 8 && 2 * shrink <= apart)
        shrink *= 2;
    return shrink;
}

/* Where clamping may turn out to matter, colours wait for the moves that come before them only. */
static bool may_be_careful(const struct drawn_ops *drawn_ops, const struct pass *pass)
{
    for (size_t n = pointwise_blended(drawn_ops, pass); n > 0; n--)
        if (drawn_clamps(&drawn_ops->at[pass->pointwise[n - 1].op]))
            return true;
    return false;
}

void render_hints(const struct drawn_ops *drawn_ops, const struct passes *passes, bool jpegs,
                  struct arena *arena, struct decode_hints *hints)
{
    const struct pass *first = passes->n ? &passes->at[0] : NULL;
    struct box window;
    bool careful;

    *hints = (struct decode_hints){ .planar = jpegs && passes->optimize == OPTIMIZE_FAST &&
                                              planar_allowed(drawn_ops, passes) };
    if (!first || passes->optimize == OPTIMIZE_NONE)
        return;
    if (first->whole && first->whole->family == FAMILY_JOIN) {
        join_hints(first->whole, passes->optimize, arena, hints);
        return;
    }
    if (first->composed)
        hints->shrink = decoder_shrink(first->composed, passes->gain);
    careful = first->composed && may_be_careful(drawn_ops, first);
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
        else if (drawn_ops->at[first->pointwise[i].op].op->needs)
            return;
    if (box_is_empty(window)) /* all is fill */
        window = (struct box){ 0, 0, 1, 1 };
    hints->left = (int)window.x0;
    hints->top = (int)window.y0;
    hints->width = (int)(window.x1 - window.x0);
    hints->height = (int)(window.y1 - window.y0);
}
