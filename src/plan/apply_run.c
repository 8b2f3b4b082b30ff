/* apply_run: the state of plan_apply. */
#include "plan/apply_run.h"

#include <string.h>

bool apply_fail(struct apply *a, const char *what)
{
    if (!a->failed)
        text_addf(a->why, "%s: %s", a->step ? step_name(a->step) : "pipeline", what);
    a->failed = true;
    return false;
}

void apply_keep(struct apply *a, const struct resolved_op *drawn)
{
    if (a->resolved_ops->n == a->room) {
        struct resolved_op *more;

        a->room = 2 * a->room + 8;
        more = ARENA_ARRAY(a->sample->arena, struct resolved_op, a->room);
        if (a->resolved_ops->n)
            memcpy(more, a->resolved_ops->at, a->resolved_ops->n * sizeof *more);
        a->resolved_ops->at = more;
    }
    a->resolved_ops->at[a->resolved_ops->n++] = *drawn;
}

void apply_look(struct run *run, const struct apply *a)
{
    run->frame = a->sample->frame;
    run->channels = a->pixels.channels;
    run->type = (int)a->pixels.type;
    run->labelled = a->labelled;
}

void apply_note_look(struct apply *a)
{
    a->resolved_ops->looked = true;
    a->resolved_ops->reads_without_occlusion |= a->sample->unhidden;
}

void apply_note_looks(struct apply *a, const struct resolved_ops *of)
{
    a->resolved_ops->looked |= of->looked;
    a->resolved_ops->reads_without_occlusion |= of->reads_without_occlusion;
}

void apply_drop_mask(struct apply *a)
{
    if (a->mask.px)
        pool_return(a->sample->mask.pool, &a->mask);
    a->mask.px = NULL;
}
