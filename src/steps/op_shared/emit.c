/* emit: arguments of ops, and calls of the run's emitter. */
#include "steps/emit.h"

#include <stdarg.h>
#include <stdio.h>

/* --- arguments --- */

struct arg arg_optional(const char *name, const struct optional *o)
{
    return o->given ? NUM(name, o->number) : (struct arg){ .name = name, .kind = ARG_NULL };
}

struct arg arg_colour(const char *name, const struct colour *c)
{
    if (c->n == 0)
        return (struct arg){ .name = name, .kind = ARG_NULL };
    if (c->n == 1)
        return NUM(name, c->channel[0]);
    return NUMS(name, (size_t)c->n, c->channel);
}

struct arg arg_optional_list(const char *name, const struct optional_list *o)
{
    if (!o->given)
        return (struct arg){ .name = name, .kind = ARG_NULL };
    return NUMS(name, (size_t)o->list.n, o->list.at);
}

/* --- emitting --- */

void emit_args(struct run *run, const char *op, const struct arg *args, bool shared)
{
    run->emitter->op(run, op, args, shared);
}

void emit_plain(struct run *run, const char *op)
{
    emit_args(run, op, &(struct arg){ 0 }, false);
}

void emit_shared_only(struct run *run, const char *op)
{
    emit_args(run, op, &(struct arg){ 0 }, true);
}

void emit_step(struct run *run, const struct steps *steps, size_t i)
{
    run->emitter->step(run, &steps->step[i], steps->step[i].chance, 0);
}

void emit_step_surely(struct run *run, const struct steps *steps, size_t i)
{
    run->emitter->step(run, &steps->step[i], 1, 0);
}

void emit_step_again(struct run *run, const struct steps *steps, size_t i, size_t before)
{
    run->emitter->step(run, &steps->step[i], steps->step[i].chance, before);
}

double step_chance(const struct steps *steps, size_t i)
{
    return steps->step[i].chance;
}

void emit_mix(struct run *run, const struct weights *weights, size_t n, chain_fn *chain,
              const void *context)
{
    run->emitter->mix(run, weights, n, chain, context);
}

void emit_refuse(struct run *run, const char *format, ...)
{
    char line[512];
    va_list args;

    va_start(args, format);
    vsnprintf(line, sizeof line, format, args);
    va_end(args);
    run->emitter->refuse(run, line);
}

/* --- reading --- */

const struct kept_object *run_objects(struct run *run, size_t *n)
{
    return run->emitter->objects(run, n);
}
