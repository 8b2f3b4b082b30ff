/* render_passes: the pixel work of passes, one after another. Knows families, not ops. */
#include "plan/render_passes.h"

#include "plan/clamp_check.h"

/* --- one action by itself --- */

struct plane render_fresh(struct render_work *w, struct frame frame)
{
    return pool_plane(w->context.pool, frame, w->now.channels, w->now.type);
}

void render_replace(struct render_work *w, struct plane with)
{
    if (w->ours)
        pool_return(w->context.pool, &w->now);
    w->now = with;
    w->ours = true;
}

static void paint(const struct action *a, struct plane *out)
{
    enum paint_method method = a->u.paint.method;

    if (method == PAINT_INPAINT_TELEA || method == PAINT_INPAINT_NS) {
        plane_inpaint(out, &a->u.paint.rects, method);
        return;
    }
    for (size_t i = 0; i < a->u.paint.rects.n; i++) {
        const struct rect *r = &a->u.paint.rects.at[i];
        uint32_t key = a->u.paint.key + (uint32_t)i;
        struct fill drawn = fill_random(out->type, key);

        plane_paint(out, r->x, r->y, r->w, r->h, method == PAINT_RANDOM_UNIFORM ? &drawn : &a->fill,
                    method == PAINT_RANDOM, key);
    }
}

/* Returns false, with the reason, if an op of one of its inputs cannot be done. */
static bool run_whole(struct render_work *w, const struct action *a, enum optimize optimize)
{
    struct plane out;

    switch (a->family) {
    case FAMILY_COLOURS:
        out = pool_plane(w->context.pool, a->out, a->channels, w->now.type);
        plane_colour(&w->now, &out, a->u.colours.fn, a->u.colours.context);
        break;
    case FAMILY_CONVOLVE:
        out = render_fresh(w, a->out);
        plane_convolve(&w->now, &out, a->u.kernel.x, a->u.kernel.nx, a->u.kernel.y, a->u.kernel.ny);
        break;
    case FAMILY_PAINT:
        out = w->now;
        if (!w->ours) {
            out = render_fresh(w, a->out);
            plane_copy(&w->now, &out);
        }
        paint(a, &out);
        break;
    case FAMILY_CONVERT:
        out = pool_plane(w->context.pool, a->out, a->channels, a->type);
        plane_convert_lines(&w->now, &out, &a->u.convert);
        break;
    case FAMILY_RASTER:
        out = render_fresh(w, a->out);
        a->u.raster.fn(a->u.raster.context, &w->now, &out, w->context.pool);
        break;
    case FAMILY_MIX:
        return render_mix(w, a, optimize);
    case FAMILY_JOIN:
        return render_join(w, a, optimize);
    default:
        return true;
    }
    if (out.px != w->now.px)
        render_replace(w, out);
    return true;
}

/* --- rows of a pass --- */

/* Returns the index map for a source that was read in part, from index `by` on. */
static const int32_t *shifted(const int32_t *line, int n, int by, struct arena *arena)
{
    int32_t *to = ARENA_ARRAY(arena, int32_t, (size_t)n);

    for (int i = 0; i < n; i++)
        to[i] = line[i] < 0 ? -1 : line[i] - by;
    return to;
}

static struct point source_scale(const struct render_work *w)
{
    return (struct point){ 1.0 / w->shrink, 1.0 / w->shrink };
}

/* True if the composed map moves the pixels. It must if the source was read at a fraction of its
 * size or in part: index maps and filters do not expect that. */
static bool is_composed(const struct render_work *w, const struct pass *pass)
{
    return pass->composed_only || (pass->composed && (w->shrink > 1 || w->part));
}

static struct sampler head_sampler(struct render_work *w, const struct pass *pass,
                                   struct plane *out)
{
    struct arena *arena = w->context.arena;
    struct sampler m;
    bool swap;

    if (is_composed(w, pass)) {
        struct composed_map r = composed_scaled(pass->composed, w->origin, source_scale(w),
                                                (struct point){ 1, 1 }, arena);

        r.in = (struct frame){ w->now.width, w->now.height };
        return sampler_of_composed(&r, &w->now, out, w->context.pool, arena);
    }
    if (!pass->head)
        return sampler_of_nothing(&w->now, out);
    m = sampler_of_action(pass->head, &w->now, (int)w->origin.x, (int)w->origin.y, out);
    swap = m.swap;
    if (m.kind == SAMPLER_INDEX && (w->origin.x != 0 || w->origin.y != 0)) {
        m.col = shifted(m.col, swap ? out->height : out->width, (int)w->origin.x, arena);
        m.row = shifted(m.row, swap ? out->width : out->height, (int)w->origin.y, arena);
    }
    return m;
}

static struct stats measure_rows(struct render_work *w, const struct pointwise *pointwise,
                                 unsigned needs)
{
    enum { ROWS = 4 }; /* few enough for the L1 cache */
    struct frame strip = { w->now.width, w->now.height < ROWS ? w->now.height : ROWS };
    struct plane scratch = render_fresh(w, strip);
    struct tally tally = tally_begin(&w->context, &w->now, needs);

    for (int y = 0; y < w->now.height; y += ROWS) {
        int n = w->now.height - y < ROWS ? w->now.height - y : ROWS;
        struct plane rows = rows_of(&w->now, y, n), to = rows_of(&scratch, 0, n);

        pointwise_run(pointwise, 0, pointwise->n, &rows, &to);
        tally_add(&tally, pointwise->n ? &to : &rows);
    }
    pool_return(w->context.pool, &scratch);
    return tally_end(&tally);
}

/* Returns the statistics that an op needs, after the pointwise ops before it. Index maps of whole
 * canvases change no statistics, so the pixels are measured before they move. The source is
 * measured once for all its renderings. */
static struct stats measure(struct render_work *w, const struct pointwise *pointwise,
                            unsigned needs)
{
    struct stats_cache *kept = w->ours || pointwise->n ? NULL : w->measured;
    struct stats stats;

    if (kept && stats_cache_find(kept, needs, &stats))
        return stats;
    stats = measure_rows(w, pointwise, needs);
    if (kept)
        stats_cache_store(kept, needs, &stats, plane_counts(&w->now));
    return stats;
}

/* Returns the mean of the pixels that a composed map shows of the source. */
static struct stats sample(struct render_work *w, const struct composed_map *seen,
                           const struct pointwise *pointwise, unsigned needs, bool all)
{
    struct composed_map r =
        composed_sampled(seen, all, w->origin, source_scale(w), w->context.arena);
    struct plane out = render_fresh(w, r.out);
    struct sampler m = sampler_of_composed(&r, &w->now, &out, w->context.pool, w->context.arena);
    struct tally tally = tally_begin(&w->context, &out, needs);

    pass_rows_run(&m, pointwise, &r);
    tally_add(&tally, &out);
    sampler_end(&m, w->context.pool);
    pool_return(w->context.pool, &out);
    return tally_end(&tally);
}

/* Resolves the pass's pointwise op i, which must see pixels. */
static bool resolve_seeing(struct render_work *w, const struct pass *pass, size_t i,
                           const struct pointwise *pointwise, struct action *action)
{
    const struct composed_map *seen = pass->pointwise[i].seen;
    const struct resolved_op *d = &w->context.resolved_ops->at[pass->pointwise[i].op];
    bool all = seen && is_reduced_after_clamp(w->context.resolved_ops, pass, i, seen);
    struct stats stats =
        seen ? sample(w, seen, pointwise, d->op->needs, all) : measure(w, pointwise, d->op->needs);

    return resolved_op_action(d, &stats, w->context.arena, action, w->context.why);
}

static bool resolve_pointwise(struct render_work *w, const struct pass *pass,
                              struct pointwise *pointwise)
{
    *pointwise = pointwise_begin(&w->context, pass);
    for (size_t i = 0; i < pass->n_pointwise; i++) {
        const struct pointwise_op *pointwise_op = &pass->pointwise[i];
        const struct resolved_op *d = &w->context.resolved_ops->at[pointwise_op->op];
        struct action *action = ARENA_NEW(w->context.arena, struct action);

        *action = d->action;
        if (d->op->needs) {
            if (!resolve_seeing(w, pass, i, pointwise, action))
                return false;
        }
        pointwise_add(pointwise, &w->context, pass, i, action, &w->now);
    }
    return true;
}

bool render_carefully(struct render_work *w, size_t first, size_t end)
{
    const struct resolved_ops *all = w->context.resolved_ops;
    struct resolved_ops part = *all;
    struct passes passes;
    bool good;

    part.at += first;
    part.n = end - first;
    passes = passes_careful(&part, w->context.arena);
    w->part = w->full.width > w->now.width || w->full.height > w->now.height;
    w->context.resolved_ops = &part;
    good = render_passes(w, &passes);
    w->context.resolved_ops = all;
    return good;
}

static bool run_pointwise_pass(struct render_work *w, const struct pass *pass)
{
    bool moves = pass->head || is_composed(w, pass);
    struct frame frame = { w->now.width, w->now.height };
    struct pointwise pointwise;
    struct plane out;
    struct sampler m;

    if (!resolve_pointwise(w, pass, &pointwise))
        return false;
    if (!moves && !pointwise.n)
        return true;
    if (is_composed(w, pass) &&
        clamping_is_missed(&w->context, &w->now, w->origin, source_scale(w), pass, &pointwise))
        return render_carefully(w, pass->first, pass->last + 1);
    if (moves)
        frame = is_composed(w, pass) ? pass->composed->out : pass->head->out;
    out = moves || !w->ours ? render_fresh(w, frame) : w->now;
    m = head_sampler(w, pass, &out);
    pass_rows_run(&m, &pointwise, is_composed(w, pass) ? pass->composed : NULL);
    sampler_end(&m, w->context.pool);
    if (out.px != w->now.px)
        render_replace(w, out);
    if (moves) {
        w->origin = (struct point){ 0, 0 };
        w->shrink = 1;
        w->part = false;
        w->full = frame;
    }
    return true;
}

bool has_late_pass(const struct render_work *w, const struct passes *passes)
{
    const struct pass *last = passes->n ? &passes->at[passes->n - 1] : NULL;

    if (!passes->late || !last || last->whole || is_composed(w, last))
        return false;
    return last->head ? last->head->family == FAMILY_INDEX : last->n_pointwise > 0;
}

bool render_passes(struct render_work *w, const struct passes *passes)
{
    for (size_t i = 0; i < passes->n; i++) {
        const struct pass *pass = &passes->at[i];

        if (i + 1 == passes->n && has_late_pass(w, passes))
            return true;
        if (!(pass->whole ? run_whole(w, pass->whole, passes->optimize)
                          : run_pointwise_pass(w, pass)))
            return false;
        clock_lap(passes->clock, STAGE_RENDER, i + 1);
    }
    return true;
}

/* --- rows made when they are written --- */

/* The last pass, and the plane that it reads. */
struct late_pass {
    struct picture_rows rows;
    struct render_work work;
    struct pointwise pointwise;
    struct sampler sampler;
    struct plane out;   /* the whole result, without pixels */
    struct plane strip; /* the rows of one call */
};

static struct plane late_rows(void *context, int y, int n)
{
    struct late_pass *l = context;
    struct plane rows = rows_of(&l->strip, 0, n);

    pass_rows_make(&l->sampler, &l->pointwise, y, &rows);
    return rows;
}

bool late_pass_begin(const struct render_work *w, const struct pass *pass, struct picture *out)
{
    struct late_pass *l = ARENA_NEW(w->context.arena, struct late_pass);

    *l = (struct late_pass){ .rows = { late_rows, l }, .work = *w, .out = w->now };
    if (!resolve_pointwise(&l->work, pass, &l->pointwise))
        return false;
    if (pass->head) {
        l->out.width = pass->head->out.width;
        l->out.height = pass->head->out.height;
    }
    l->out.px = NULL;
    l->sampler = head_sampler(&l->work, pass, &l->out);
    l->strip = render_fresh(&l->work, (struct frame){ l->out.width, PICTURE_ROWS });
    out->plane = l->out;
    out->rows = &l->rows;
    return true;
}

void late_pass_end(const struct picture_rows *rows)
{
    struct late_pass *l = rows->context;

    sampler_end(&l->sampler, l->work.context.pool);
    pool_return(l->work.context.pool, &l->strip);
    if (l->work.ours)
        pool_return(l->work.context.pool, &l->work.now);
}
