/* render_wish: how a source is best read for the passes that follow. */
#include "planar.h"
#include "render.h"

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

static struct box box_join(struct box a, struct box b)
{
    if (box_is_empty(a) || box_is_empty(b))
        return box_is_empty(a) ? b : a;
    return (struct box){ fmin(a.x0, b.x0), fmin(a.y0, b.y0), fmax(a.x1, b.x1), fmax(a.y1, b.y1) };
}

/* The largest fraction of the decoder's that leaves no fewer pixels than are wanted. */
static int decoder_shrink(const struct route *r)
{
    struct point apart = route_shrink(r);
    int shrink = 1;

    if (!r->antialias || r->taps == TAPS_NEAREST)
        return 1;
    while (shrink < 8 && 2 * shrink <= fmin(apart.x, apart.y))
        shrink *= 2;
    return shrink;
}

void render_wish(const struct drawing *drawing, const struct passes *passes, bool jpegs,
                 struct picture_wish *wish)
{
    const struct pass *first = passes->n ? &passes->at[0] : NULL;
    struct box window;

    *wish = (struct picture_wish){ .planar = jpegs && passes->optimize == OPTIMIZE_FAST &&
                                             planar_allowed(drawing, passes) };
    if (!first || passes->optimize == OPTIMIZE_NONE)
        return;
    if (first->route)
        wish->shrink = decoder_shrink(first->route);
    if (first->route && (wish->planar || first->routed || wish->shrink > 1))
        window = route_window(first->route);
    else if (first->head && first->head->family == INDEX)
        window = index_window(first->head);
    else
        return;
    for (size_t i = 0; i < first->n_points; i++)
        if (first->point[i].seen)
            window = box_join(window, route_window(first->point[i].seen));
        else if (drawing->at[first->point[i].op].op->needs)
            return;
    if (box_is_empty(window)) /* all is fill */
        window = (struct box){ 0, 0, 1, 1 };
    wish->left = (int)window.x0;
    wish->top = (int)window.y0;
    wish->width = (int)(window.x1 - window.x0);
    wish->height = (int)(window.y1 - window.y0);
}
