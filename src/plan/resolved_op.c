/* resolved_op: an emitted op with its values: its action, its family, its JSON. */
#include "plan/resolved_op.h"

bool resolved_op_action(const struct resolved_op *drawn, const struct stats *stats,
                        struct arena *arena, struct action *action, struct text *why)
{
    struct scene scene = { .frame = drawn->in,
                           .type = drawn->pixels.type,
                           .channels = drawn->pixels.channels,
                           .luma = stats->luma,
                           .histogram = stats->histogram,
                           .moments = &stats->moments,
                           .arena = arena,
                           .why = why };

    *action = (struct action){ .in = drawn->in,
                               .out = drawn->in,
                               .channels = drawn->pixels.channels,
                               .type = drawn->pixels.type,
                               .map = { .forward = MAT3_IDENTITY, .inverse = MAT3_IDENTITY } };
    if (!drawn->op->resolve &&
        !drawn->op->calls) { /* what is joined was resolved when it was drawn */
        *action = drawn->action;
        return true;
    }
    return op_resolve(drawn->op, drawn->params, &scene, action);
}

enum family resolved_op_family(const struct resolved_op *drawn)
{
    return drawn->op->needs ? drawn->op->family : drawn->action.family;
}

void resolved_op_print(const struct resolved_op *drawn, struct text *out)
{
    text_addf(out, "{\"type\": \"%s\"", drawn->op->name);
    if (drawn->op->params) {
        text_adds(out, ", ");
        params_print(drawn->op->params, drawn->params, out);
    }
    text_addc(out, '}');
}
