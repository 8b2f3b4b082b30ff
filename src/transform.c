/* transform: arguments made from parameters that a transform passes on. */
#include "transform.h"

struct arg arg_colour(const char *name, const struct colour *c)
{
    if (c->n == 0)
        return (struct arg){ .name = name, .kind = ARG_NULL };
    if (c->n == 1)
        return NUM(name, c->band[0]);
    return NUMS(name, (size_t)c->n, c->band);
}

struct arg arg_optional_list(const char *name, const struct optional_list *o)
{
    if (!o->given)
        return (struct arg){ .name = name, .kind = ARG_NULL };
    return NUMS(name, (size_t)o->list.n, o->list.at);
}

void emit_plain(struct run *run, const char *op)
{
    emit_args(run, op, &(struct arg){ 0 });
}
