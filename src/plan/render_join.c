/* render_join: actions that join images. */
#include "plan/input_passes.h"
#include "plan/render_passes.h"

/* Each input is made of the current plane by its own passes, without shortcuts. */
bool render_mix(struct render_work *w, const struct action *a, enum optimize optimize)
{
    struct render_work *input = ARENA_ARRAY(w->context.arena, struct render_work, a->u.mix.n);
    struct plane *made = ARENA_ARRAY(w->context.arena, struct plane, a->u.mix.n), out;
    bool good = true;

    if (optimize == OPTIMIZE_FAST)
        optimize = OPTIMIZE_EXACT;
    for (size_t i = 0; i < a->u.mix.n; i++) {
        const struct resolved_ops *resolved_ops = &a->u.mix.input[i];
        struct passes passes = passes_of(resolved_ops, optimize, w->context.arena, NULL);

        input[i] = (struct render_work){ .context = w->context, .now = w->now, .shrink = 1 };
        input[i].context.resolved_ops = resolved_ops;
        good = good && render_passes(&input[i], &passes);
        made[i] = input[i].now;
    }
    if (good) {
        out = pool_plane(w->context.pool, a->out, a->channels, a->type);
        plane_blend(made, a->u.mix.weight, a->u.mix.n, &out);
    }
    for (size_t i = 0; i < a->u.mix.n; i++)
        if (input[i].ours)
            pool_return(w->context.pool, &made[i]);
    if (good)
        render_replace(w, out);
    return good;
}

/* --- inputs placed on a canvas --- */

/* Matches an input's alpha to the canvas: transparent pixels get the fill if the canvas has no
 * alpha, and inputs without alpha become opaque. */
static void match_alpha(struct render_work *input, const struct plane *canvas,
                        const struct fill *fill)
{
    const struct plane *now = &input->now;
    struct plane out;

    if (now->channels == canvas->channels)
        return;
    out = pool_plane(input->context.pool, (struct frame){ now->width, now->height },
                     canvas->channels, now->type);
    if (now->channels > canvas->channels)
        plane_flatten(now, fill, &out);
    else
        plane_make_opaque(now, &out);
    render_replace(input, out);
}

static void lay_cut_out(const struct lay *lay, const struct plane *in, bool labels,
                        struct pool *pool, struct plane *canvas)
{
    struct rect reach =
        cut_out_reach(lay->cut_out, (struct frame){ canvas->width, canvas->height });
    struct frame frame = { reach.w, reach.h };
    struct plane part = plane_part(canvas, reach.x, reach.y, reach.w, reach.h);
    struct plane bitmap =
        pool_plane(pool, (struct frame){ canvas->width, canvas->height }, 1, PIXEL_U8);
    struct plane weight = pool_plane(pool, frame, 1, PIXEL_F32);
    struct plane scratch = pool_plane(pool, frame, 1, PIXEL_F32), under;

    rle_to_bitmap(lay->cut_out, bitmap.px, bitmap.stride);
    under = plane_part(&bitmap, reach.x, reach.y, reach.w, reach.h);
    plane_weights(under.px, under.stride, labels ? 1 : lay->opacity, !labels && lay->feathered,
                  &scratch, &weight);
    plane_draw_weighted(in, &part, lay->part.x - reach.x, lay->part.y - reach.y, &weight);
    pool_return(pool, &scratch);
    pool_return(pool, &weight);
    pool_return(pool, &bitmap);
}

void lay_plane(const struct lay *lay, const struct plane *in, bool labels, struct pool *pool,
               struct plane *canvas)
{
    if (!lay->cut_out)
        plane_draw(in, canvas, lay->part.x, lay->part.y, labels ? 1 : lay->opacity);
    else if (rle_area(lay->cut_out))
        lay_cut_out(lay, in, labels, pool, canvas);
}

/* Runs an input's passes and draws the result on the canvas. */
static bool lay_image(struct render_work *input, const struct action *a, size_t i,
                      const struct input_passes *p, struct plane *canvas)
{
    struct lay lay = a->u.join.lay[i];
    bool good;

    input->context.resolved_ops = &a->u.join.input[i];
    lay.part.x = p->left;
    lay.part.y = p->top;
    if (!p->passes.n) { /* the source, which may have been read in part */
        lay.part.x += (int)input->origin.x;
        lay.part.y += (int)input->origin.y;
    }
    good = render_passes(input, &p->passes);
    if (good)
        match_alpha(input, canvas, &a->fill);
    if (good)
        lay_plane(&lay, &input->now, false, input->context.pool, canvas);
    if (input->ours)
        pool_return(input->context.pool, &input->now);
    return good;
}

/* Returns the image itself in its current state, or a borrowed image. Its plane is NULL if the
 * image cannot be read. */
static struct render_work input_source(const struct render_work *w, const struct lay *lay,
                                       const struct decode_hints *hints)
{
    const struct donor_source *donors = w->context.resolved_ops->donors;
    struct render_work input = {
        .context = w->context, .now = w->now, .full = w->full, .origin = w->origin, .shrink = 1
    };
    const struct picture *picture;

    if (!lay->borrowed)
        return input;
    picture = donors->image(donors->context, lay->record, hints, w->context.why);
    input.now = picture ? picture->plane : (struct plane){ .px = NULL };
    if (picture) {
        input.full = picture->full;
        input.origin = (struct point){ picture->left, picture->top };
    }
    return input;
}

/* Inputs are made one after another, so that at most one borrowed image is in memory. */
bool render_join(struct render_work *w, const struct action *a, enum optimize optimize)
{
    const struct donor_source *donors = w->context.resolved_ops->donors;
    struct plane canvas = pool_plane(w->context.pool, a->out, a->channels, a->type);
    bool good = true;

    plane_fill(&canvas, &a->fill);
    for (size_t i = 0; good && i < a->u.join.n; i++) {
        const struct lay *lay = &a->u.join.lay[i];
        struct input_passes p = input_passes_of(a, i, optimize, w->context.arena);
        struct render_work input = input_source(w, lay, &p.hints);

        good = input.now.px && lay_image(&input, a, i, &p, &canvas);
        if (lay->borrowed)
            donors->release(donors->context, lay->record);
    }
    if (!good) {
        pool_return(w->context.pool, &canvas);
        return false;
    }
    render_replace(w, canvas);
    w->origin = (struct point){ 0, 0 };
    w->full = a->out;
    return true;
}
