/* explain: what becomes of a drawing, for people and for scripts. */
#include "explain.h"

#include <string.h>

/* What an op that must see pixels looks at. */
static const char *need_of(const struct op *op)
{
    return op->needs & HISTOGRAM ? "its histogram" : op->needs & LUMA ? "its mean luma" : NULL;
}

static void print_ops(const struct explanation *e, struct text *out)
{
    for (size_t i = 0; i < e->drawing->n; i++) {
        const struct drawn *d = &e->drawing->at[i];
        struct text line = { 0 };

        drawn_print(d, &line);
        text_addf(out, "  %2zu  %-16s %s", i + 1, family_name(drawn_family(d)), text_string(&line));
        if (d->step && strcmp(step_name(d->step), d->op->name) != 0)
            text_addf(out, "  (%s)", step_name(d->step));
        text_addc(out, '\n');
        text_drop(&line);
    }
}

/* The ops of a pass that do something, by name. */
static void print_pass_ops(const struct explanation *e, const struct pass *pass, struct text *out)
{
    bool first = true;

    for (size_t i = pass->first; i <= pass->last; i++) {
        const struct drawn *d = &e->drawing->at[i];

        if (drawn_family(d) == NOTHING)
            continue;
        text_addf(out, "%s%s", first ? "" : " + ", d->op->name);
        first = false;
    }
}

static void print_looks(const struct explanation *e, const struct pass *pass, struct text *out)
{
    for (size_t i = 0; i < pass->n_points; i++) {
        const struct op *op = e->drawing->at[pass->point[i].op].op;

        if (need_of(op))
            text_addf(out, "        %s looks at %s first\n", op->name, need_of(op));
    }
}

size_t explain_text(const struct explanation *e, struct arena *arena, struct text *out)
{
    struct passes passes = passes_of(e->drawing, e->optimize, arena, NULL);
    size_t breaks = passes.n ? passes.n - 1 : 0;

    text_add_visible(out, e->image, strlen(e->image));
    text_addf(out, ", copy %u: %dx%d of %d band%s, %d bit, to %dx%d\n", e->copy, e->in.width,
              e->in.height, e->pixels.bands, e->pixels.bands == 1 ? "" : "s",
              e->pixels.type == PIXEL_U8 ? 8 : 16, e->out.width, e->out.height);
    print_ops(e, out);
    for (size_t i = 0; i < passes.n; i++) {
        const struct pass *pass = &passes.at[i];

        text_addf(out, "  pass %zu: ", i + 1);
        print_pass_ops(e, pass, out);
        text_addc(out, '\n');
        print_looks(e, pass, out);
        if (pass->reason)
            text_addf(out, "        break before %s: %s\n", e->drawing->at[pass->first].op->name,
                      pass->reason);
    }
    text_addf(out, "  %zu op%s in %zu pass%s over memory\n", e->drawing->n,
              e->drawing->n == 1 ? "" : "s", passes.n, passes.n == 1 ? "" : "es");
    if (e->lossless)
        text_adds(out, "  written from the JPEG's coefficients\n");
    return breaks;
}

static void json_pass(const struct explanation *e, const struct pass *pass, struct text *out)
{
    bool first = true;

    text_adds(out, "{\"ops\": [");
    for (size_t i = pass->first; i <= pass->last; i++)
        if (drawn_family(&e->drawing->at[i]) != NOTHING) {
            text_addf(out, "%s%zu", first ? "" : ", ", i);
            first = false;
        }
    text_adds(out, "], \"break\": ");
    if (pass->reason)
        text_add_json(out, pass->reason, strlen(pass->reason));
    else
        text_adds(out, "null");
    text_addc(out, '}');
}

size_t explain_json(const struct explanation *e, struct arena *arena, struct text *out)
{
    struct passes passes = passes_of(e->drawing, e->optimize, arena, NULL);

    text_adds(out, "{\"image\": ");
    text_add_json(out, e->image, strlen(e->image));
    text_addf(out, ", \"copy\": %u, \"size_in\": [%d, %d], \"size_out\": [%d, %d], \"ops\": [",
              e->copy, e->in.width, e->in.height, e->out.width, e->out.height);
    for (size_t i = 0; i < e->drawing->n; i++) {
        const struct drawn *d = &e->drawing->at[i];

        text_addf(out, "%s{\"type\": \"%s\", \"step\": \"%s\", \"family\": \"%s\"}", i ? ", " : "",
                  d->op->name, d->step ? step_name(d->step) : d->op->name,
                  family_name(drawn_family(d)));
    }
    text_adds(out, "], \"passes\": [");
    for (size_t i = 0; i < passes.n; i++) {
        text_adds(out, i ? ", " : "");
        json_pass(e, &passes.at[i], out);
    }
    text_addf(out, "], \"lossless\": %s}\n", e->lossless ? "true" : "false");
    return passes.n ? passes.n - 1 : 0;
}
