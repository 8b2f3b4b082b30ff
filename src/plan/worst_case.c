/* worst_case: the ops that a pipeline's steps may emit, each once. */
#include "plan/worst_case.h"

#include <string.h>

struct worst_case {
    const struct plan *plan;
    struct arena *arena;
    struct resolved_ops *resolved_ops;
    size_t room;
    struct frame frame;
    struct pixel_kind pixels;
};

/* --- values --- */

static const struct value *example_of(const struct op *op, struct arena *arena)
{
    struct faults faults = { .name = op->name, .text = { op->example, strlen(op->example) } };
    const struct value *value = value_parse(&faults, arena);

    faults_drop(&faults);
    return value;
}

/* Returns the example's values that the step does not give. If `tame`, values with a default are
 * left out too. */
static const struct value *rest_of_example(const struct op *op, const struct step *from, bool tame,
                                           struct arena *arena)
{
    const struct value *example = example_of(op, arena);
    struct value *rest = value_object(arena, example->n);
    size_t n = 0;

    for (size_t i = 0; i < example->n; i++) {
        const struct row *row = row_get(op->params, example->item[i].name);

        if (row && !row_shared(step_own_rows(from), row) && !(tame && row->preset))
            rest->item[n++] = example->item[i];
    }
    rest->n = n;
    return rest;
}

/* Returns the op's parameters: from the step that emits it where both share them, else from its
 * example, or if `tame` by default. NULL if these values are not valid together. */
static const void *emitted_params(const struct op *op, const struct step *from, bool tame,
                                  struct arena *arena)
{
    const struct value *rest = rest_of_example(op, from, tame, arena);
    struct reader reader = { .arena = arena, .shared = step_own_rows(from) };
    struct faults faults = { .name = op->name };
    void *params = arena_take(arena, op->params_size);
    bool good;

    params_preset(op->params, params, arena);
    params_share(reader.shared, from->params, op->params, params);
    good = params_read(op->params, rest, params, NULL, &reader, &faults) &&
           op_check(op, params, rest, &faults);
    faults_drop(&faults);
    return good ? params : NULL;
}

/* Returns the first row that holds steps, or NULL. */
static const struct row *row_of_steps(const struct row *rows)
{
    for (ROWS (row, rows))
        if (row->kind == &chains_kind || row->kind == &inputs_kind || row->kind == &steps_kind ||
            row->kind == &donor_steps_kind)
            return row;
    return NULL;
}

/* Returns the default parameters of an op that joins images; parameters without a default get the
 * value of the op's example. The row of chains_kind gets two lists of steps. One is empty, for the
 * image itself. The other has all ops that may be done to the image and keep its size. Returns NULL
 * if the op refuses two lists, or an op in them has no parameters. */
static const void *joined_params(const struct op *joining, const struct row *row,
                                 const struct step *from, const char *const *inside,
                                 struct arena *arena)
{
    struct faults faults = { .name = joining->name };
    struct steps *input = ARENA_ARRAY(arena, struct steps, 2);
    void *params = arena_take(arena, joining->params_size);
    struct step example;
    bool good;
    struct step *step;
    size_t n = 0;

    if (!step_read_text(joining->example, arena, &example))
        return NULL;
    while (inside[n])
        n++;
    step = ARENA_ARRAY(arena, struct step, n);
    for (size_t i = 0; i < n; i++) {
        const struct op *op = registry_op(inside[i]);

        step[i] = (struct step){ .op = op,
                                 .params = emitted_params(op, from, true, arena),
                                 .chance = 1,
                                 .path = "#",
                                 .print = step_print };
        if (!step[i].params)
            return NULL;
    }
    input[0] = (struct steps){ 0 };
    input[1] = (struct steps){ step, n };
    memcpy(params, example.params, joining->params_size);
    params_preset(joining->params, params, arena);
    *(struct chains *)(void *)((char *)params + row->offset) = (struct chains){ input, 2 };
    good = op_check(joining, params, example.source, &faults);
    faults_drop(&faults);
    return good ? params : NULL;
}

/* --- ops --- */

static void keep(struct worst_case *w, const struct resolved_op *drawn)
{
    struct resolved_ops *d = w->resolved_ops;

    if (d->n == w->room) {
        struct resolved_op *more;

        w->room = 2 * w->room + 8;
        more = ARENA_ARRAY(w->arena, struct resolved_op, w->room);
        if (d->n)
            memcpy(more, d->at, d->n * sizeof *more);
        d->at = more;
    }
    d->at[d->n++] = *drawn;
}

/* Resolves the op on the result of the ops before it. */
static bool resolve(const struct worst_case *w, const struct op *op, const void *params,
                    const struct step *step, struct resolved_op *drawn)
{
    struct text why = { 0 };
    bool good = true;

    *drawn = (struct resolved_op){
        .op = op, .params = params, .step = step, .in = w->frame, .pixels = w->pixels
    };
    if (!op->needs)
        good = resolved_op_action(drawn, &(struct stats){ 0 }, w->arena, &drawn->action, &why);
    if (!good)
        drawn->action = (struct action){
            .in = w->frame, .out = w->frame, .channels = w->pixels.channels, .type = w->pixels.type
        };
    text_drop(&why);
    return good;
}

static void add(struct worst_case *w, const struct resolved_op *drawn)
{
    if (!drawn->op->needs) {
        w->frame = drawn->action.out;
        w->pixels = (struct pixel_kind){ drawn->action.type, drawn->action.channels };
    }
    keep(w, drawn);
}

/* Adds the ops that an op expands into; of several branches, the first. */
static bool add_expansion(struct worst_case *w, const struct op *op, const void *params,
                          const struct step *from)
{
    struct step step = { .op = op, .params = params, .chance = 1 };
    struct plan plan = { .transforms = { &step, 1 }, .op_defaults = w->plan->op_defaults };
    struct sample sample = { .arena = w->arena, .frame = w->frame };
    struct resolved_ops resolved_ops;
    struct text why = { 0 };
    bool good = plan_apply(&plan, &(struct draw_id){ 0 }, w->pixels, &sample, &resolved_ops, &why);

    for (size_t i = 0; good && i < resolved_ops.n; i++) {
        resolved_ops.at[i].step = from;
        add(w, &resolved_ops.at[i]);
    }
    text_drop(&why);
    return good;
}

/* Adds an op. Returns false if it cannot be done to the result of the ops before it. It is then
 * added only if `anyway`, and does nothing. */
static bool add_op(struct worst_case *w, const struct op *op, const void *params,
                   const struct step *from, bool anyway)
{
    struct resolved_op drawn;
    bool good;

    if (op->expand)
        return add_expansion(w, op, params, from);
    good = resolve(w, op, params, from, &drawn);
    if (from->transform && !op->linear)
        drawn.action.linear = NULL;
    if (good || anyway)
        add(w, &drawn);
    return good;
}

/* Adds an op that a transform emits. Returns true if the op joins; the names after it are then ops
 * of its inputs. */
static bool add_emitted_op(struct worst_case *w, const struct step *from, const char *const *name)
{
    const struct op *op = registry_op(*name);
    const struct row *row = row_of_steps(op->params);
    const void *params = !row ? emitted_params(op, from, false, w->arena)
                         : row->kind == &chains_kind
                             ? joined_params(op, row, from, name + 1, w->arena)
                             : NULL;
    struct step example;

    if (!params || !add_op(w, op, params, from, false)) {
        step_read_text(op->example, w->arena, &example);
        add_op(w, op, example.params, from, true);
    }
    return family_joins(op->family);
}

static bool add_step(const struct step *step, void *context)
{
    struct worst_case *w = context;

    if (step->chance <= 0)
        return false;
    if (step->op) {
        add_op(w, step->op, step->params, step, true);
        return false; /* its inputs are drawn already */
    }
    for (const char *const *name = step->transform->emits; name && *name; name++)
        if (add_emitted_op(w, step, name))
            break;
    return !step_borrows(step);
}

struct frame plan_worst_case(const struct plan *plan, struct arena *arena,
                             struct resolved_ops *resolved_ops, struct pixel_kind *out)
{
    struct worst_case worst = { .plan = plan,
                                .arena = arena,
                                .resolved_ops = resolved_ops,
                                .frame = WORST_CASE_FRAME,
                                .pixels = WORST_CASE_PIXELS };

    *resolved_ops = (struct resolved_ops){ 0 };
    steps_walk(&plan->transforms, add_step, &worst);
    *out = worst.pixels;
    return worst.frame;
}
