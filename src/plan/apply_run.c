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

void apply_keep(struct apply *a, const struct drawn_op *drawn)
{
    if (a->drawn_ops->n == a->room) {
        struct drawn_op *more;

        a->room = 2 * a->room + 8;
        more = ARENA_ARRAY(a->sample->arena, struct drawn_op, a->room);
        if (a->drawn_ops->n)
            memcpy(more, a->drawn_ops->at, a->drawn_ops->n * sizeof *more);
        a->drawn_ops->at = more;
    }
    a->drawn_ops->at[a->drawn_ops->n++] = *drawn;
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
    a->drawn_ops->looked = true;
    a->drawn_ops->looked_unhidden |= a->sample->unhidden;
}

void apply_note_looks(struct apply *a, const struct drawn_ops *of)
{
    a->drawn_ops->looked |= of->looked;
    a->drawn_ops->looked_unhidden |= of->looked_unhidden;
}

void apply_drop_mask(struct apply *a)
{
    if (a->mask.px)
        pool_return(a->sample->mask.pool, &a->mask);
    a->mask.px = NULL;
}
