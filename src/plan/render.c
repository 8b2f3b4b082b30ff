/* render: the pixel work of a drawing, op by op. Knows families, not ops. */
#include "render.h"

/* The plane being worked on: borrowed until the first result is made, then ours. */
struct work {
    struct plane now;
    bool ours;
    struct pool *pool;
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

/* Where a loop that may work in place puts its result. */
static struct plane in_place(struct work *w)
{
    struct frame frame = { w->now.width, w->now.height };

    return w->ours ? w->now : fresh(w, frame);
}

static void settle_in_place(struct work *w, struct plane result)
{
    if (!w->ours)
        replace(w, result);
}

static void run_action(struct work *w, const struct action *a)
{
    struct plane out;

    switch (a->family) {
    case NOTHING:
        return;
    case INDEX:
        out = fresh(w, a->out);
        plane_remap(&w->now, &out, a->u.index.col, a->u.index.row, a->u.index.swap, &a->fill);
        replace(w, out);
        return;
    case MATRIX:
        out = fresh(w, a->out);
        plane_warp(&w->now, &out, &a->map.inverse, a->u.matrix.taps, &a->fill);
        replace(w, out);
        return;
    case RESAMPLE:
        out = fresh(w, a->out);
        plane_resize(&w->now, &out, a->u.resample.taps, a->u.resample.antialias);
        replace(w, out);
        return;
    case TABLE:
        out = in_place(w);
        plane_table(&w->now, &out, a->u.table.entries);
        settle_in_place(w, out);
        return;
    case COLOURS:
        out = in_place(w);
        plane_colour(&w->now, &out, a->u.colours.fn, a->u.colours.context);
        settle_in_place(w, out);
        return;
    case CONVOLVE:
        out = fresh(w, a->out);
        plane_convolve(&w->now, &out, a->u.kernel.x, a->u.kernel.nx, a->u.kernel.y, a->u.kernel.ny);
        replace(w, out);
        return;
    case PAINT:
        out = in_place(w);
        if (!w->ours)
            plane_copy(&w->now, &out);
        plane_paint(&out, a->u.paint.x, a->u.paint.y, a->u.paint.w, a->u.paint.h, &a->fill,
                    a->u.paint.noise, a->u.paint.key);
        settle_in_place(w, out);
        return;
    }
}

/* The caller gets a plane of its own even when nothing was done. */
static struct plane finish(struct work *w)
{
    if (!w->ours) {
        struct plane copy = fresh(w, (struct frame){ w->now.width, w->now.height });

        plane_copy(&w->now, &copy);
        replace(w, copy);
    }
    return w->now;
}

bool render_image(const struct drawing *drawing, const struct plane *source, struct pool *pool,
                  struct arena *arena, struct plane *out, struct text *why)
{
    struct work w = { .now = *source, .pool = pool };
    struct pixel_kind kind = { source->type, source->bands };

    for (size_t i = 0; i < drawing->n; i++) {
        const struct drawn *drawn = &drawing->at[i];
        struct action action = drawn->action;

        if (drawn->op->needs) {
            double luma = plane_mean_luma(&w.now) / pixel_type_unit(source->type);

            if (!drawn_resolve(drawn, kind, luma, arena, &action, why)) {
                if (w.ours)
                    pool_return(pool, &w.now);
                return false;
            }
        }
        run_action(&w, &action);
    }
    *out = finish(&w);
    return true;
}

void render_mask(const struct drawing *drawing, const struct plane *source, struct pool *pool,
                 struct plane *out)
{
    struct work w = { .now = *source, .pool = pool };

    for (size_t i = 0; i < drawing->n; i++) {
        struct action action = drawing->at[i].action;

        if (drawing->at[i].op->needs)
            continue;
        if (action.family != INDEX && action.family != MATRIX && action.family != RESAMPLE)
            continue;
        action.fill = (struct fill){ { action.fill_mask } };
        if (action.family == MATRIX) {
            action.u.matrix.taps = TAPS_NEAREST;
        } else if (action.family == RESAMPLE) {
            action.family = INDEX;
            action.u.index.col = action.map.col;
            action.u.index.row = action.map.row;
            action.u.index.swap = action.map.swap;
        }
        run_action(&w, &action);
    }
    *out = finish(&w);
}
