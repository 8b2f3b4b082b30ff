/* fuse_mask: the ops for the label mask of an image. */
#include "plan/fuse.h"

#include "geom/map.h"

int32_t label_mirrored(const struct label_pairs *pairs, int32_t label)
{
    for (size_t i = 0; i < pairs->n; i++)
        for (int k = 0; k < 2; k++)
            if (pairs->at[i][k] == label)
                return pairs->at[i][1 - k];
    return label;
}

static size_t count_mask_ops(const struct resolved_ops *resolved_ops)
{
    size_t n = resolved_ops->n;

    for (size_t i = 0; i < resolved_ops->n; i++)
        if (resolved_op_family(&resolved_ops->at[i]) == FAMILY_MIX)
            n += count_mask_ops(resolved_ops->at[i].action.u.mix.input);
    return n;
}

/* Adds an action for masks alone. Its label is swapped in advance, like all fills, if a mirror will
 * swap the result. */
static void add_mask_paint(const struct resolved_op *drawn, struct resolved_ops *mask,
                           bool mirrored)
{
    struct resolved_op d = *drawn;

    d.action = *drawn->action.mask;
    d.action.channels = d.pixels.channels = 1;
    if (mirrored)
        d.action.fill.channel[0] =
            label_mirrored(&mask->swap_labels, (int32_t)d.action.fill.channel[0]);
    mask->at[mask->n++] = d;
}

static void add_mask_ops(const struct resolved_ops *resolved_ops, struct resolved_ops *mask,
                         bool *mirrored)
{
    for (size_t i = 0; i < resolved_ops->n; i++) {
        struct resolved_op d = resolved_ops->at[i];
        struct action *a = &d.action;

        if (resolved_op_family(&d) == FAMILY_MIX)
            add_mask_ops(a->u.mix.input, mask, mirrored);
        if (!d.op->needs && a->mask) {
            add_mask_paint(&d, mask, *mirrored);
            continue;
        }
        if (!family_moves(resolved_op_family(&d)))
            continue;
        *mirrored ^= map_scale(&a->map, a->in) < 0;
        a->fill = (struct fill){
            .channel = { *mirrored ? label_mirrored(&mask->swap_labels, a->fill_mask)
                                   : a->fill_mask },
            .border = a->fill.border,
        };
        a->channels = d.pixels.channels = 1;
        if (a->family == FAMILY_MATRIX) {
            a->u.matrix.interpolation = INTERPOLATION_NEAREST;
        } else if (a->family == FAMILY_FIELD) {
            a->u.field.interpolation = INTERPOLATION_NEAREST;
        } else if (a->family == FAMILY_RESAMPLE || a->family == FAMILY_ALIGN) {
            a->family = FAMILY_INDEX;
            a->u.index.col = a->map.col;
            a->u.index.row = a->map.row;
            a->u.index.swap = a->map.swap;
        }
        mask->at[mask->n++] = d;
    }
}

struct resolved_ops mask_ops(const struct resolved_ops *resolved_ops, struct arena *arena,
                             bool *mirrored)
{
    struct resolved_ops mask = { .at = ARENA_ARRAY(arena, struct resolved_op,
                                                   count_mask_ops(resolved_ops)),
                                 .swap_labels = resolved_ops->swap_labels };

    *mirrored = false;
    add_mask_ops(resolved_ops, &mask, mirrored);
    return mask;
}
