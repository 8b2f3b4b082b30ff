/* render_mask: the label mask that goes with an image. */
#include "render_work.h"

/* The labels of pairs change places; those that the mask's type does not have stay away. */
static void swap_labels(struct render_work *w, const struct label_pairs *pairs)
{
    int32_t most = (int32_t)pixel_type_max(w->now.type);
    struct plane out =
        w->ours ? w->now : render_fresh(w, (struct frame){ w->now.width, w->now.height });
    uint16_t *wide = ARENA_ARRAY(w->context.arena, uint16_t, (size_t)most + 1);
    uint8_t *narrow = ARENA_ARRAY(w->context.arena, uint8_t, (size_t)most + 1);

    for (int32_t i = 0; i <= most; i++) {
        int32_t to = label_mirrored(pairs, i);

        wide[i] = (uint16_t)(to <= most ? to : i);
        narrow[i] = (uint8_t)wide[i];
    }
    plane_table(&w->now, &out, w->now.type == PIXEL_U8 ? (void *)narrow : wide);
    if (!w->ours)
        render_replace(w, out);
}

void render_mask(const struct drawn_ops *drawn_ops, enum optimize optimize,
                 const struct plane *source, struct pool *pool, struct arena *arena,
                 struct plane *out)
{
    bool mirrored;
    struct drawn_ops mask = drawn_ops_of_mask(drawn_ops, arena, &mirrored);
    struct passes passes = passes_of(&mask, optimize, arena, NULL);
    struct render_work w = { .context = { &mask, pool, arena, NULL }, .now = *source, .shrink = 1 };

    render_passes(&w, &passes); /* it cannot fail: no op of it must see pixels */
    if (mirrored && drawn_ops->swap_labels.n)
        swap_labels(&w, &drawn_ops->swap_labels);
    *out = w.now;
}
