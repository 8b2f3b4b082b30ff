/* render: the pixel work of a drawing, pass by pass. Knows families, not ops. */
#include "render.h"

#include "fuse.h"

/* The plane being worked on: borrowed until the first result is made, then ours. */
struct work {
    struct plane now;
    bool ours;
    struct pool *pool;
    struct arena *arena;
    struct text *why;
};

static struct plane fresh(struct work *w, struct frame frame)
{
    return pool_plane(w->pool, frame, w->now.bands, w->now.type);
}

static void replace(struct work *w, struct plane with)
{
    if (w->ours)
        pool_return(w->pool, &w->now);
    w->now = with;
    w->ours = true;
}

/* One action by itself; index maps and tables are flows. */
static void run_whole(struct work *w, const struct action *a)
{
    struct plane out;

    switch (a->family) {
    case MATRIX:
        out = fresh(w, a->out);
        plane_warp(&w->now, &out, &a->map.inverse, a->u.matrix.taps, &a->fill);
        break;
    case RESAMPLE:
        out = fresh(w, a->out);
        plane_resize(&w->now, &out, a->u.resample.taps, a->u.resample.antialias);
        break;
    case COLOURS:
        out = pool_plane(w->pool, a->out, a->bands, w->now.type);
        plane_colour(&w->now, &out, a->u.colours.fn, a->u.colours.context);
        break;
    case CONVOLVE:
        out = fresh(w, a->out);
        plane_convolve(&w->now, &out, a->u.kernel.x, a->u.kernel.nx, a->u.kernel.y, a->u.kernel.ny);
        break;
    case PAINT:
        out = w->now;
        if (!w->ours) {
            out = fresh(w, a->out);
            plane_copy(&w->now, &out);
        }
        plane_paint(&out, a->u.paint.x, a->u.paint.y, a->u.paint.w, a->u.paint.h, &a->fill,
                    a->u.paint.noise, a->u.paint.key);
        break;
    default:
        return;
    }
    if (out.px != w->now.px)
        replace(w, out);
}

/* --- flows: pixels change places, tables and colour functions run over rows in cache --- */

enum { STRIP = 16 }; /* rows that stay in cache between one loop and the next */

/* Rows [y, y + n) of a plane, as a plane. */
static struct plane rows_of(const struct plane *p, int y, int n)
{
    struct plane rows = *p;

    rows.px = (char *)p->px + (size_t)y * p->stride;
    rows.height = n;
    return rows;
}

static void recolour(const struct action *a, const struct plane *in, struct plane *out)
{
    if (a->family == TABLE)
        plane_table(in, out, a->u.table.entries);
    else
        plane_colour(in, out, a->u.colours.fn, a->u.colours.context);
}

/* The actions of a flow's ops, tables next to each other joined into one; those that do nothing in
 * this draw are gone. */
struct points {
    const struct action **at;
    size_t n;
};

static void add_point(struct points *points, const struct action *a, const struct plane *now,
                      struct arena *arena)
{
    const struct action *last = points->n ? points->at[points->n - 1] : NULL;

    if (last && last->family == TABLE && a->family == TABLE) {
        struct action *both = ARENA_NEW(arena, struct action);

        *both = *a;
        both->u.table.entries = table_join(arena, last->u.table.entries, a->u.table.entries,
                                           now->type, plane_colours(now));
        points->at[points->n - 1] = both;
        return;
    }
    points->at[points->n++] = a;
}

/* One strip of the flow's result: from `in`, through the index map if there is one. */
static void make_strip(const struct pass *pass, const struct points *points, const struct plane *in,
                       struct plane *out, int y, int n)
{
    struct plane to = rows_of(out, y, n), from = to;
    const struct action *a = &pass->remap;

    if (pass->remaps) {
        bool swap = a->u.index.swap;

        plane_remap(in, &to, a->u.index.col + (swap ? y : 0), a->u.index.row + (swap ? 0 : y), swap,
                    &a->fill);
    } else {
        from = rows_of(in, y, n);
    }
    for (size_t i = 0; i < points->n; i++)
        recolour(points->at[i], i ? &to : &from, &to);
}

/* What an op must know of the image as the points before it make it: index maps of whole canvases
 * change no statistics, so the pixels are looked at where they are. */
static struct stats measure(const struct plane *now, const struct points *points, unsigned needs,
                            struct work *w)
{
    struct frame strip = { now->width, now->height < STRIP ? now->height : STRIP };
    struct plane scratch = pool_plane(w->pool, strip, now->bands, now->type);
    uint32_t *counts =
        needs & HISTOGRAM ? ARENA_ARRAY(w->arena, uint32_t, plane_counts(now)) : NULL;
    double luma = 0;

    for (int y = 0; y < now->height; y += STRIP) {
        int n = now->height - y < STRIP ? now->height - y : STRIP;
        struct plane rows = rows_of(now, y, n), to = rows_of(&scratch, 0, n);

        for (size_t i = 0; i < points->n; i++)
            recolour(points->at[i], i ? &to : &rows, &to);
        if (points->n)
            rows = to;
        if (needs & LUMA)
            luma += plane_luma_sum(&rows);
        if (counts)
            plane_histogram(&rows, counts);
    }
    pool_return(w->pool, &scratch);
    return (struct stats){ .luma = luma / ((double)now->width * now->height) /
                                   pixel_type_unit(now->type),
                           .histogram = counts };
}

/* Resolve an op that had to see pixels. */
static bool resolve(struct work *w, const struct drawn *d, const struct points *points,
                    struct action *action)
{
    struct stats stats = measure(&w->now, points, d->op->needs, w);

    return drawn_resolve(d, w->now.type, &stats, w->arena, action, w->why);
}

static bool run_flow(struct work *w, const struct drawing *drawing, const struct pass *pass)
{
    struct points points = { ARENA_ARRAY(w->arena, const struct action *, pass->n_points + 1), 0 };
    struct frame frame =
        pass->remaps ? pass->remap.out : (struct frame){ w->now.width, w->now.height };
    struct plane out;

    for (size_t i = 0; i < pass->n_points; i++) {
        const struct drawn *d = &drawing->at[pass->point[i]];
        struct action *action = ARENA_NEW(w->arena, struct action);

        *action = d->action;
        if (d->op->needs && !resolve(w, d, &points, action))
            return false;
        if (action->family != NOTHING)
            add_point(&points, action, &w->now, w->arena);
    }
    if (!pass->remaps && !points.n)
        return true;
    out = pass->remaps || !w->ours ? fresh(w, frame) : w->now;
    for (int y = 0; y < out.height; y += STRIP)
        make_strip(pass, &points, &w->now, &out, y,
                   out.height - y < STRIP ? out.height - y : STRIP);
    if (out.px != w->now.px)
        replace(w, out);
    return true;
}

static bool run_passes(struct work *w, const struct drawing *drawing, enum optimize optimize)
{
    struct passes passes = passes_of(drawing, optimize, w->arena, NULL);

    for (size_t i = 0; i < passes.n; i++) {
        const struct pass *pass = &passes.at[i];

        if (pass->whole)
            run_whole(w, pass->whole);
        else if (!run_flow(w, drawing, pass))
            return false;
    }
    return true;
}

bool render_image(const struct drawing *drawing, enum optimize optimize, const struct plane *source,
                  struct pool *pool, struct arena *arena, struct plane *out, struct text *why)
{
    struct work w = { .now = *source, .pool = pool, .arena = arena, .why = why };

    if (!run_passes(&w, drawing, optimize)) {
        if (w.ours)
            pool_return(pool, &w.now);
        return false;
    }
    *out = w.now;
    return true;
}

void render_mask(const struct drawing *drawing, enum optimize optimize, const struct plane *source,
                 struct pool *pool, struct arena *arena, struct plane *out)
{
    struct work w = { .now = *source, .pool = pool, .arena = arena };
    struct drawing mask = drawing_of_mask(drawing, arena);

    run_passes(&w, &mask, optimize); /* it cannot fail: no op of it must see pixels */
    *out = w.now;
}
