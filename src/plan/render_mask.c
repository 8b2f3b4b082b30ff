/* render_mask: the label mask of an image. */
#include "plan/render.h"

#include "plan/render_passes.h"

/* Swaps the labels of pairs, unless a label does not fit the mask's type. */
static void swap_labels(struct render_work *w, const struct label_pairs *pairs)
{
    int32_t max = (int32_t)pixel_type_max(w->now.type);
    struct plane out =
        w->ours ? w->now : render_fresh(w, (struct frame){ w->now.width, w->now.height });
    uint16_t *wide = ARENA_ARRAY(w->context.arena, uint16_t, (size_t)max + 1);
    uint8_t *narrow = ARENA_ARRAY(w->context.arena, uint8_t, (size_t)max + 1);

    for (int32_t i = 0; i <= max; i++) {
        int32_t to = label_mirrored(pairs, i);

        wide[i] = (uint16_t)(to <= max ? to : i);
        narrow[i] = (uint8_t)wide[i];
    }
    plane_table(&w->now, &out, w->now.type == PIXEL_U8 ? (void *)narrow : wide);
    if (!w->ours)
        render_replace(w, out);
}

/* Runs ops that join nothing. */
static void render_plain(const struct resolved_ops *resolved_ops, enum optimize optimize,
                         const struct plane *source, struct pool *pool, struct arena *arena,
                         struct plane *out)
{
    bool mirrored;
    struct resolved_ops mask = mask_ops(resolved_ops, arena, &mirrored);
    struct passes passes = passes_of(&mask, optimize, arena, NULL);
    struct render_work w = { .context = { &mask, pool, arena, NULL }, .now = *source, .shrink = 1 };

    render_passes(&w, &passes); /* this cannot fail: no op of a mask must see pixels */
    if (mirrored && resolved_ops->swap_labels.n)
        swap_labels(&w, &resolved_ops->swap_labels);
    *out = w.now;
}

/* Draws the inputs' masks on a canvas. Returns false if a mask cannot be read. */
static bool lay_masks(const struct action *a, enum optimize optimize, const struct plane *now,
                      struct pool *pool, struct arena *arena, struct plane *out)
{
    struct plane canvas = pool_plane(pool, a->out, 1, now->type);
    bool good = true;

    plane_fill(&canvas, &(struct fill){ .channel = { a->fill_mask } });
    for (size_t i = 0; good && i < a->u.join.n; i++) {
        const struct lay *lay = &a->u.join.lay[i];
        const struct plane *source = lay->borrowed ? lay->mask.read(lay->mask.context) : now;
        struct plane made;

        good = source != NULL;
        if (!good || lay->opacity < HEAVIER)
            continue;
        render_plain(&a->u.join.input[i], optimize, source, pool, arena, &made);
        lay_plane(lay, &made, true, pool, &canvas);
        if (made.px != source->px)
            pool_return(pool, &made);
    }
    *out = canvas;
    if (!good)
        pool_return(pool, out);
    return good;
}

/* Returns the index of the first op from `first` on that joins, or the number of ops. */
static size_t find_join(const struct resolved_ops *resolved_ops, size_t first)
{
    while (first < resolved_ops->n && resolved_op_family(&resolved_ops->at[first]) != FAMILY_JOIN)
        first++;
    return first;
}

bool render_mask(const struct resolved_ops *resolved_ops, enum optimize optimize,
                 const struct plane *source, struct pool *pool, struct arena *arena,
                 struct plane *out)
{
    struct plane now = *source;
    size_t first = 0;

    for (;;) {
        size_t join = find_join(resolved_ops, first);
        struct resolved_ops part = *resolved_ops;
        struct plane before = now;
        bool good = true;

        if (first) /* an empty list may have a NULL address */
            part.at += first;
        part.n = join - first;
        render_plain(&part, optimize, &before, pool, arena, &now);
        if (before.px != now.px && before.px != source->px)
            pool_return(pool, &before);
        if (join == resolved_ops->n)
            break;
        before = now;
        good = lay_masks(&resolved_ops->at[join].action, optimize, &before, pool, arena, &now);
        if (before.px != source->px)
            pool_return(pool, &before);
        if (!good)
            return false;
        first = join + 1;
    }
    *out = now;
    return true;
}
