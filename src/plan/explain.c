/* explain: describes resolved ops and their passes, as text and as JSON. */
#include "plan/explain.h"

#include "base/number.h"
#include "plan/fast_bounds.h"

#include <string.h>

size_t explain_breaks(const struct explanation *e)
{
    return e->passes->n ? e->passes->n - 1 : 0;
}

/* Returns the statistics that an op needs of the image. */
static const char *need_of(const struct op *op)
{
    return op->needs & NEEDS_HISTOGRAM    ? "its histogram"
           : op->needs & NEEDS_COVARIANCE ? "the covariance of its colours"
           : op->needs & NEEDS_LUMA       ? "its mean luma"
                                          : NULL;
}

static const char *plural(size_t n)
{
    return n == 1 ? "" : "s";
}

static bool is_idle(const struct explanation *e, size_t i)
{
    return resolved_op_family(&e->resolved_ops->at[i]) == FAMILY_NOTHING;
}

/* --- text: steps and ops --- */

/* The state of printing, for the walk over steps. */
struct printer {
    const struct explanation *e;
    struct arena *arena;
    struct text *out;
    size_t n_steps;
};

/* Only a worst case has ops that cannot be done; such an image would fail. */
static void print_refusal(const struct printer *t, const struct resolved_op *d)
{
    struct text why = { 0 };
    struct action action;

    if (!d->op->needs && !resolved_op_action(d, &(struct stats){ 0 }, t->arena, &action, &why))
        text_addf(t->out, "          cannot be done here: %s\n", text_string(&why));
    text_drop(&why);
}

static void print_op(const struct printer *t, size_t i)
{
    const struct resolved_op *d = &t->e->resolved_ops->at[i];
    struct text values = { 0 };

    resolved_op_print(d, &values);
    text_addf(t->out, "      %2zu  %-16s %s\n", i + 1, family_name(resolved_op_family(d)),
              text_string(&values));
    print_refusal(t, d);
    text_drop(&values);
}

static void print_ranges(const struct step *step, struct text *out)
{
    struct text ranges = { 0 };

    if (explain_ranges(step, &ranges))
        text_addf(out, "          draws from %s\n", text_string(&ranges));
    text_drop(&ranges);
}

static bool print_step(const struct step *step, void *context)
{
    const struct printer *t = context;
    bool container = step->transform && !step->transform->emits, any = container;

    text_adds(t->out, "  step ");
    step_print_number(step, t->out);
    text_addf(t->out, ": %s", step_name(step));
    if (step->chance < 1) {
        text_adds(t->out, ", chance ");
        number_print(t->out, step->chance);
    }
    if (step->when) {
        text_adds(t->out, ", when ");
        when_kind.print(NULL, step->when, t->out);
    }
    text_addc(t->out, '\n');
    print_ranges(step, t->out);
    for (size_t i = 0; i < t->e->resolved_ops->n; i++)
        if (t->e->resolved_ops->at[i].step == step) {
            print_op(t, i);
            any = true;
        }
    if (!any)
        text_adds(t->out, "          no op\n");
    return !step->op; /* the op prints what it joins among its values */
}

/* --- text: passes --- */

static void print_pass(const struct explanation *e, const struct pass *pass, struct text *out)
{
    bool first = true;

    text_addf(out, "  pass %zu:", (size_t)(pass - e->passes->at) + 1);
    for (size_t i = pass->first; i <= pass->last; i++)
        if (!is_idle(e, i)) {
            text_addf(out, "%s %zu %s", first ? "" : " +", i + 1, e->resolved_ops->at[i].op->name);
            first = false;
        }
    text_addc(out, '\n');
    if (pass->reason)
        text_addf(out, "      break before %s: %s\n", e->resolved_ops->at[pass->first].op->name,
                  pass->reason);
    for (size_t i = 0; i < pass->n_pointwise; i++) {
        size_t k = pass->pointwise[i].op;
        const struct op *op = e->resolved_ops->at[k].op;

        if (need_of(op))
            text_addf(out, "      %zu %s looks at %s first\n", k + 1, op->name, need_of(op));
    }
}

/* True if the part of the source that is read does not depend on random values. For a worst case,
 * the values are examples. */
static bool is_known_part(const struct explanation *e)
{
    const struct pass *first = e->passes->at;

    for (size_t i = first->first; !e->image && i <= first->last; i++)
        if (!e->resolved_ops->at[i].step->op)
            return false;
    return true;
}

static void print_reads(const struct explanation *e, struct text *out)
{
    const struct decode_hints *w = e->hints;

    if (e->copied || e->lossless) {
        text_adds(out, e->copied ? "  copied: no op touches the image, and its file is written\n"
                                 : "  lossless: written from the JPEG's coefficients\n");
        return;
    }
    if (w->width && !is_known_part(e))
        text_addf(out, "  reads: as much of %dx%d as pass 1 takes", e->in.width, e->in.height);
    else if (w->width && (w->width < e->in.width || w->height < e->in.height))
        text_addf(out, "  reads: columns %d to %d, rows %d to %d of %dx%d", w->left,
                  w->left + w->width - 1, w->top, w->top + w->height - 1, e->in.width,
                  e->in.height);
    else
        text_addf(out, "  reads: all of %dx%d", e->in.width, e->in.height);
    if (w->shrink > 1)
        text_addf(out, ", decoded at 1/%d of its size", w->shrink);
    text_adds(out, w->planar ? ", as Y, Cb and Cr planes\n" : "\n");
}

static unsigned shortcuts_taken(const struct explanation *e)
{
    return e->copied || e->lossless ? 0 : shortcuts_of(e->resolved_ops, e->passes, e->hints);
}

static void print_shortcuts(const struct explanation *e, struct text *out)
{
    unsigned taken = shortcuts_taken(e);

    for (int i = 0; i < SHORTCUTS; i++)
        if (taken & 1U << i) {
            text_addf(out, "  shortcut %s: ", shortcuts[i].name);
            shortcut_print(&shortcuts[i], out);
            text_addc(out, '\n');
        }
}

static void print_head(const struct explanation *e, struct text *out)
{
    if (e->image) {
        text_add_visible(out, e->image, strlen(e->image));
        text_addf(out, ", copy %u: ", e->copy);
    } else {
        text_adds(out, "worst case: every op that a step may emit, with the step's values or those "
                       "of the op's example\na JPEG (4:2:0) of ");
    }
    text_addf(out, "%dx%d, %d channel%s, %d bit, to %dx%d; optimize: %s\n", e->in.width,
              e->in.height, e->pixels.channels, plural((size_t)e->pixels.channels),
              e->pixels.type == PIXEL_U8 ? 8 : 16, e->out.width, e->out.height,
              choice_word(optimize_choices, (int)e->passes->optimize));
}

void explain_text(const struct explanation *e, struct arena *arena, struct text *out)
{
    struct printer printing = { .e = e, .arena = arena, .out = out };
    size_t ops = e->resolved_ops->n, passes = e->passes->n, breaks = explain_breaks(e);

    print_head(e, out);
    if (e->passes->exact)
        text_addf(out, "  no shortcuts of mode fast: %s\n", e->passes->exact);
    steps_walk(&e->plan->transforms, print_step, &printing);
    print_reads(e, out);
    for (size_t i = 0; i < passes; i++)
        print_pass(e, &e->passes->at[i], out);
    print_shortcuts(e, out);
    text_addf(out, "  %zu op%s in %zu pass%s over memory, %zu break%s\n", ops, plural(ops), passes,
              passes == 1 ? "" : "es", breaks, plural(breaks));
}

/* --- JSON --- */

static void add_comma(bool *first, struct text *out)
{
    text_adds(out, *first ? "" : ", ");
    *first = false;
}

static bool json_step(const struct step *step, void *context)
{
    struct printer *t = context;
    bool first = true;

    text_adds(t->out, t->n_steps++ ? ", {\"number\": \"" : "{\"number\": \"");
    step_print_number(step, t->out);
    text_addf(t->out, "\", \"type\": \"%s\", \"p\": ", step_name(step));
    number_print(t->out, step->chance);
    text_adds(t->out, ", \"when\": ");
    when_kind.print(NULL, step->when ? step->when : &(struct conditions){ 0 }, t->out);
    text_adds(t->out, ", \"ranges\": ");
    explain_ranges(step, t->out);
    text_adds(t->out, ", \"ops\": [");
    for (size_t i = 0; i < t->e->resolved_ops->n; i++)
        if (t->e->resolved_ops->at[i].step == step) {
            add_comma(&first, t->out);
            text_addf(t->out, "%zu", i);
        }
    text_adds(t->out, "]}");
    return !step->op;
}

static void json_op(const struct resolved_op *d, struct text *out)
{
    text_addf(out,
              "{\"type\": \"%s\", \"step\": \"%s\", \"family\": \"%s\", \"values\": ", d->op->name,
              d->step ? step_name(d->step) : d->op->name, family_name(resolved_op_family(d)));
    resolved_op_print(d, out);
    text_addc(out, '}');
}

static void json_pass(const struct explanation *e, const struct pass *pass, struct text *out)
{
    bool first = true;

    text_adds(out, "{\"ops\": [");
    for (size_t i = pass->first; i <= pass->last; i++)
        if (!is_idle(e, i)) {
            add_comma(&first, out);
            text_addf(out, "%zu", i);
        }
    text_adds(out, "], \"break\": ");
    if (pass->reason)
        text_add_json(out, pass->reason, strlen(pass->reason));
    else
        text_adds(out, "null");
    text_addc(out, '}');
}

static void json_reads(const struct explanation *e, struct text *out)
{
    const struct decode_hints *w = e->hints;

    if (e->copied || e->lossless) {
        text_adds(out, "null");
        return;
    }
    text_addf(out,
              "{\"left\": %d, \"top\": %d, \"width\": %d, \"height\": %d, \"shrink\": %d, "
              "\"planes\": %s}",
              w->left, w->top, w->width ? w->width : e->in.width,
              w->width ? w->height : e->in.height, w->shrink > 1 ? w->shrink : 1,
              w->planar ? "true" : "false");
}

static void json_shortcuts(const struct explanation *e, struct text *out)
{
    unsigned taken = shortcuts_taken(e);
    bool first = true;

    for (int i = 0; i < SHORTCUTS; i++)
        if (taken & 1U << i) {
            add_comma(&first, out);
            text_addf(out, "{\"name\": \"%s\", \"psnr\": ", shortcuts[i].name);
            number_print(out, shortcuts[i].psnr);
            text_addc(out, '}');
        }
}

static void json_head(const struct explanation *e, struct text *out)
{
    text_adds(out, "{\"image\": ");
    if (e->image)
        text_add_json(out, e->image, strlen(e->image));
    else
        text_adds(out, "null");
    text_addf(out,
              ", \"copy\": %u, \"worst_case\": %s, \"optimize\": \"%s\", \"size_in\": [%d, %d], "
              "\"size_out\": [%d, %d]",
              e->copy, e->image ? "false" : "true",
              choice_word(optimize_choices, (int)e->passes->optimize), e->in.width, e->in.height,
              e->out.width, e->out.height);
}

void explain_json(const struct explanation *e, struct text *out)
{
    struct printer printing = { .e = e, .out = out };

    json_head(e, out);
    text_adds(out, ", \"steps\": [");
    steps_walk(&e->plan->transforms, json_step, &printing);
    text_adds(out, "], \"ops\": [");
    for (size_t i = 0; i < e->resolved_ops->n; i++) {
        text_adds(out, i ? ", " : "");
        json_op(&e->resolved_ops->at[i], out);
    }
    text_adds(out, "], \"reads\": ");
    json_reads(e, out);
    text_adds(out, ", \"passes\": [");
    for (size_t i = 0; i < e->passes->n; i++) {
        text_adds(out, i ? ", " : "");
        json_pass(e, &e->passes->at[i], out);
    }
    text_adds(out, "], \"shortcuts\": [");
    json_shortcuts(e, out);
    text_addf(out, "], \"breaks\": %zu, \"lossless\": %s, \"copied\": %s}\n", explain_breaks(e),
              e->lossless ? "true" : "false", e->copied ? "true" : "false");
}
