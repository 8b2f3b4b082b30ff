/* steps: one step of a plan: its name, rows and place, printed; and all of them, visited. */
#include "plan.h"

#include <stdlib.h>
#include <string.h>

const char *step_name(const struct step *s)
{
    return s->transform ? s->transform->name : s->op->name;
}

const struct row *step_own_rows(const struct step *s)
{
    return s->transform ? s->transform->params : s->op->params;
}

void step_print(const struct step *step, struct text *out)
{
    const struct row *rows = step_own_rows(step);

    text_addf(out, "{\"type\": \"%s\"", step_name(step));
    if (step->id) {
        text_adds(out, ", \"id\": ");
        text_add_json(out, step->id, strlen(step->id));
    }
    /* Left out only where leaving it out means 1. */
    if (step->chance != 1 || (step->transform && step->transform->chance > 0)) {
        text_adds(out, ", \"p\": ");
        number_kind.print(NULL, &step->chance, out);
    }
    if (step->when) {
        text_adds(out, ", \"when\": ");
        when_kind.print(NULL, step->when, out);
    }
    if (rows) {
        text_adds(out, ", ");
        params_print(rows, step->params, out);
    }
    text_addc(out, '}');
}

void step_print_number(const struct step *s, struct text *out)
{
    const char *at = s->path + 1;
    char *end;

    while (*at) {
        unsigned long index = strtoul(at, &end, 10);

        if (end > at)
            text_addf(out, "%s%lu", at == s->path + 1 ? "" : ".", index + 1);
        at = end + strcspn(end, ".");
        at += *at == '.';
    }
}

struct chains step_lists(const struct step *step, const struct row *row)
{
    const void *field = (const char *)step->params + row->offset;

    if (row->kind == &chains_kind)
        return *(const struct chains *)field;
    if (row->kind == &inputs_kind) {
        const struct inputs *inputs = field;

        return (struct chains){ inputs->steps, inputs->n };
    }
    return row->kind == &steps_kind || row->kind == &donor_steps_kind ? (struct chains){ field, 1 }
                                                                      : (struct chains){ 0 };
}

bool step_joins(const struct step *step)
{
    if (step->op)
        return step->op->family == FAMILY_JOIN;
    for (const char *const *name = step->transform->emits; name && *name; name++)
        if (registry_op(*name)->family == FAMILY_JOIN)
            return true;
    return false;
}

static const struct donors *donors_of(const struct step *step)
{
    for (ROWS (row, step_own_rows(step)))
        if (row->kind == &donors_kind)
            return (const void *)((const char *)step->params + row->offset);
    return NULL;
}

bool step_borrows(const struct step *step)
{
    return donors_of(step) != NULL;
}

static bool shows_through(const struct step *step)
{
    const struct joint *joint = step->params;

    if (step->transform)
        return true;
    for (size_t i = 0; i < joint->inputs.n; i++)
        if (joint->inputs.at[i].opacity < 1)
            return true;
    return false;
}

bool step_refuses_masks(const struct step *step)
{
    for (ROWS (row, step_own_rows(step)))
        if (row->choices == blended_choices &&
            *(const int *)(const void *)((const char *)step->params + row->offset) ==
                BLENDED_REFUSE)
            return step->chance > 0 && shows_through(step);
    return false;
}

void steps_walk(const struct steps *steps, bool (*visit)(const struct step *, void *context),
                void *context)
{
    for (size_t i = 0; i < steps->n; i++) {
        const struct step *step = &steps->step[i];

        if ((!step->transform && !step->op) || !visit(step, context))
            continue;
        for (ROWS (row, step_own_rows(step))) {
            struct chains lists = step_lists(step, row);

            for (size_t k = 0; k < lists.n; k++)
                steps_walk(&lists.at[k], visit, context);
        }
    }
}
