/* render: the pixel work of resolved ops. */
#include "plan/render.h"

#include "plan/planar.h"
#include "plan/render_passes.h"

/* Runs passes on the Y, Cb and Cr planes as far as they allow, the others in RGB. */
static bool render_planes(struct render_work *w, const struct passes *passes,
                          const struct picture *source, enum subsampling subsampling,
                          struct picture *out)
{
    size_t done;

    if (!planar_render(&w->context, passes, source, subsampling, out, &done))
        return false;
    if (done == w->context.resolved_ops->n)
        return true;
    w->now = out->plane;
    w->origin = (struct point){ out->left, out->top };
    w->shrink = out->shrink;
    w->full = out->full;
    w->ours = true;
    if (!render_carefully(w, done, w->context.resolved_ops->n)) {
        pool_return(w->context.pool, &w->now);
        return false;
    }
    out->plane = w->now;
    return true;
}

bool render_image(const struct resolved_ops *resolved_ops, const struct passes *passes,
                  const struct picture *source, enum subsampling subsampling, struct pool *pool,
                  struct arena *arena, struct picture *out, struct text *why)
{
    struct render_work w = { .context = { resolved_ops, pool, arena, why },
                             .now = source->plane,
                             .origin = { source->left, source->top },
                             .full = source->full,
                             .shrink = source->shrink,
                             .measured = passes->measured };

    if (source->chroma[0].px)
        return render_planes(&w, passes, source, subsampling, out);
    *out = *source;
    if (render_passes(&w, passes)) {
        if (!has_late_pass(&w, passes)) {
            out->plane = w.now;
            return true;
        }
        if (late_pass_begin(&w, &passes->at[passes->n - 1], out))
            return true;
    }
    if (w.ours)
        pool_return(pool, &w.now);
    return false;
}

void render_drop(struct picture *out, const struct picture *source, struct pool *pool)
{
    if (out->rows)
        late_pass_end(out->rows);
    else
        planar_drop(out, source, pool);
}
