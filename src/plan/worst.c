/* worst: a drawing of every op that a pipeline's steps may emit. */
#include "worst.h"

#include <string.h>

struct worst {
    const struct plan *plan;
    struct arena *arena;
    struct drawing *drawing;
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

/* The op as a step: its parameters from the step that emits it where that has them; else those of
 * its example, or by default where there is one and `tame`. */
static void print_emitted(const struct op *op, const struct step *from, bool tame,
                          struct arena *arena, struct text *out)
{
    const struct value *example = example_of(op, arena);

    text_addf(out, "{\"type\": \"%s\"", op->name);
    for (ROWS (row, op->params)) {
        const struct row *own = row_get(step_own_rows(from), row->name);
        const struct value *value = value_get(example, row->name);
        bool shared = own && own->kind == row->kind;

        if (!shared && (!value || (tame && row->preset)))
            continue;
        text_addf(out, ", \"%s\": ", row->name);
        if (shared)
            own->kind->print(own, (const char *)from->params + own->offset, out);
        else
            value_print(value, out);
    }
    text_addc(out, '}');
}

/* The image itself, and beside it all that may be done to it; what is joined must keep its size. */
static void print_joined(const struct op *op, const struct step *from, const char *const *inside,
                         struct arena *arena, struct text *out)
{
    text_addf(out, "{\"type\": \"%s\", \"inputs\": [[], [", op->name);
    for (const char *const *name = inside; *name; name++) {
        text_adds(out, name > inside ? ", " : "");
        print_emitted(registry_op(*name), from, true, arena, out);
    }
    text_adds(out, "]]}");
}

/* --- ops --- */

static void keep(struct worst *w, const struct drawn *drawn)
{
    struct drawing *d = w->drawing;

    if (d->n == w->room) {
        struct drawn *more;

        w->room = 2 * w->room + 8;
        more = ARENA_ARRAY(w->arena, struct drawn, w->room);
        if (d->n)
            memcpy(more, d->at, d->n * sizeof *more);
        d->at = more;
    }
    d->at[d->n++] = *drawn;
}

/* Resolve the op for what the ops before it leave. */
static bool resolve(const struct worst *w, const struct op *op, const void *params,
                    const struct step *step, struct drawn *drawn)
{
    struct text why = { 0 };
    bool good = true;

    *drawn = (struct drawn){
        .op = op, .params = params, .step = step, .in = w->frame, .pixels = w->pixels
    };
    if (!op->needs)
        good = drawn_resolve(drawn, &(struct stats){ 0 }, w->arena, &drawn->action, &why);
    if (!good)
        drawn->action = (struct action){
            .in = w->frame, .out = w->frame, .bands = w->pixels.bands, .type = w->pixels.type
        };
    text_drop(&why);
    return good;
}

static void add(struct worst *w, const struct drawn *drawn)
{
    if (!drawn->op->needs) {
        w->frame = drawn->action.out;
        w->pixels = (struct pixel_kind){ drawn->action.type, drawn->action.bands };
    }
    keep(w, drawn);
}

/* What an op stands for; that of its first branch, if there are several. */
static bool add_unfolded(struct worst *w, const struct op *op, const void *params,
                         const struct step *from)
{
    struct step step = { .op = op, .params = params, .chance = 1 };
    struct plan plan = { .transforms = { &step, 1 }, .op_defaults = w->plan->op_defaults };
    struct sample sample = { .arena = w->arena, .frame = w->frame };
    struct drawing drawing;
    struct text why = { 0 };
    bool good = plan_apply(&plan, &(struct lot){ 0 }, w->pixels, &sample, &drawing, &why);

    for (size_t i = 0; good && i < drawing.n; i++) {
        drawing.at[i].step = from;
        add(w, &drawing.at[i]);
    }
    text_drop(&why);
    return good;
}

/* False when it cannot be done to what the ops before it leave; then it is added only if `anyway`,
 * and does nothing. */
static bool add_op(struct worst *w, const struct op *op, const void *params,
                   const struct step *from, bool anyway)
{
    struct drawn drawn;
    bool good;

    if (op->unfold)
        return add_unfolded(w, op, params, from);
    good = resolve(w, op, params, from, &drawn);
    if (from->transform && !op->linear)
        drawn.action.linear = NULL;
    if (good || anyway)
        add(w, &drawn);
    return good;
}

/* True when it joins: then the names behind it are of ops of its inputs. */
static bool add_emitted(struct worst *w, const struct step *from, const char *const *name)
{
    const struct op *op = registry_op(*name);
    struct text own = { 0 };
    struct step step;

    if (op->family == JOIN)
        print_joined(op, from, name + 1, w->arena, &own);
    else
        print_emitted(op, from, false, w->arena, &own);
    if (!step_read_text(text_string(&own), w->arena, &step) ||
        !add_op(w, op, step.params, from, false)) {
        step_read_text(op->example, w->arena, &step);
        add_op(w, op, step.params, from, true);
    }
    text_drop(&own);
    return op->family == JOIN;
}

static bool add_step(const struct step *step, void *context)
{
    struct worst *w = context;

    if (step->chance <= 0)
        return false;
    if (step->op) {
        add_op(w, step->op, step->params, step, true);
        return false; /* what it joins it has drawn itself */
    }
    for (const char *const *name = step->transform->emits; name && *name; name++)
        if (add_emitted(w, step, name))
            break;
    return true;
}

struct frame plan_worst(const struct plan *plan, struct arena *arena, struct drawing *drawing,
                        struct pixel_kind *out)
{
    struct worst worst = { .plan = plan,
                           .arena = arena,
                           .drawing = drawing,
                           .frame = WORST_FRAME,
                           .pixels = WORST_PIXELS };

    *drawing = (struct drawing){ 0 };
    steps_walk(&plan->transforms, add_step, &worst);
    *out = worst.pixels;
    return worst.frame;
}
