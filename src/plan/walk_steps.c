/* walk_steps: one step of a plan: its name, rows, position and JSON; and walking over all steps. */
#include "plan/plan.h"

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
    /* p is left out only if its default is 1. */
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

void params_set_lists(const struct row *row, void *params, const struct steps *lists,
                      struct arena *arena)
{
    void *field = (char *)params + row->offset;

    if (row->kind == &chains_kind) {
        ((struct chains *)field)->at = lists;
    } else if (row->kind == &inputs_kind) {
        struct inputs *inputs = field, old = *inputs;

        *inputs = inputs_take(arena, old.n);
        for (size_t i = 0; i < old.n; i++) {
            inputs->at[i] = old.at[i];
            inputs->at[i].steps = inputs->steps[i] = lists[i];
        }
    } else if (row->kind == &steps_kind || row->kind == &donor_steps_kind) {
        *(struct steps *)field = *lists;
    }
}

size_t step_images(const struct step *step)
{
    int (*images)(const void *) = step->transform ? step->transform->images : step->op->images;
    int n = images ? images(step->params) : 1;

    return n > 1 ? (size_t)n : 1;
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

/* True if images may show through each other: inputs with an opacity below 1 do, and steps without
 * inputs always may. */
static bool shows_through(const struct step *step)
{
    bool has_inputs = false;

    for (ROWS (row, step_own_rows(step))) {
        const struct inputs *inputs = (const void *)((const char *)step->params + row->offset);

        if (row->kind != &inputs_kind)
            continue;
        has_inputs = true;
        for (size_t i = 0; i < inputs->n; i++)
            if (inputs->at[i].opacity < 1)
                return true;
    }
    return !has_inputs;
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
