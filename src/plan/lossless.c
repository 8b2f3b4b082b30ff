/* lossless: resolved ops that only turn and crop, so that a JPEG's coefficients can be reused. */
#include "plan/lossless.h"

#include "plan/join.h"

/* Joins all resolved ops to one index map. Returns false if that is not possible. */
static bool join_all(const struct resolved_ops *resolved_ops, struct arena *arena,
                     struct action *all)
{
    const char *reason;

    for (size_t i = 0; i < resolved_ops->n; i++) {
        const struct resolved_op *d = &resolved_ops->at[i];
        struct action first = *all, second = d->action;

        if (resolved_op_family(d) == FAMILY_NOTHING)
            continue;
        if (resolved_op_family(d) != FAMILY_INDEX)
            return false;
        second.fill = (struct fill){
            .channel = { 0 }
        }; /* with visible fill, the result is not an excerpt anyway */
        if (first.family == FAMILY_NOTHING)
            *all = second;
        else if (!index_join(arena, &first, &second, all, &reason))
            return false;
    }
    return true;
}

/* True if the indices are consecutive, ascending or descending. */
static bool is_run(const int32_t *index, int n, int *first, bool *back)
{
    int step = n > 1 ? index[1] - index[0] : 1;

    if (step != 1 && step != -1)
        return false;
    for (int i = 0; i < n; i++)
        if (index[i] < 0 || index[i] != index[0] + i * step)
            return false;
    *back = step < 0;
    *first = *back ? index[n - 1] : index[0];
    return true;
}

bool lossless_excerpt(const struct resolved_ops *resolved_ops, const struct picture_header *header,
                      struct arena *arena, struct excerpt *excerpt)
{
    struct action all = { .family = FAMILY_NOTHING };

    if (!join_all(resolved_ops, arena, &all))
        return false;
    *excerpt = (struct excerpt){ .width = header->frame.width, .height = header->frame.height };
    if (all.family == FAMILY_INDEX) {
        bool swap = all.u.index.swap;

        excerpt->turn.swap = swap;
        excerpt->width = swap ? all.out.height : all.out.width;
        excerpt->height = swap ? all.out.width : all.out.height;
        if (!is_run(all.u.index.col, excerpt->width, &excerpt->x, &excerpt->turn.columns_back) ||
            !is_run(all.u.index.row, excerpt->height, &excerpt->y, &excerpt->turn.rows_back))
            return false;
    }
    return picture_can_write_excerpt(header, excerpt);
}
