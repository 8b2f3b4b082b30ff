/* transforms: makes a plugin's transform a transform of the registry, and implements the functions
 * that it calls. */
#include "steps/plugin/adapt.h"

#include <string.h>

/* A draw of a plugin's transform. */
struct drawing {
    struct run *run;
    const struct lockstep_transform *entry;
    const struct kept_object *seen; /* the objects, once it asked for them */
    size_t n_seen;
};

static struct drawing *drawing_of(struct lockstep_run *run)
{
    return run->own;
}

static struct rng *rng_of(struct lockstep_run *run)
{
    return drawing_of(run)->run->rng;
}

static void look(struct lockstep_run *to, const struct run *from)
{
    to->width = from->frame.width;
    to->height = from->frame.height;
    to->channels = from->channels;
    to->depth = (int)pixel_type_size((enum pixel_type)from->type) * 8;
    to->labelled = from->labelled;
}

/* --- drawing --- */

double host_unit(struct lockstep_run *run)
{
    return rng_unit(rng_of(run));
}

double host_between(struct lockstep_run *run, double lo, double hi)
{
    return rng_between(rng_of(run), lo, hi);
}

/* Returns lo for an empty range, without drawing. */
int64_t host_integer(struct lockstep_run *run, int64_t lo, int64_t hi)
{
    return hi > lo ? rng_integer(rng_of(run), lo, hi) : lo;
}

double host_normal(struct lockstep_run *run, double mean, double deviation)
{
    return rng_normal(rng_of(run), mean, deviation);
}

/* --- emitting --- */

static struct arg arg_of(const struct lockstep_arg *from)
{
    struct arg to = { .name = from->name,
                      .number = from->number,
                      .word = from->word ? from->word : "",
                      .numbers = from->numbers,
                      .n = from->n };

    switch (from->kind) {
    case LOCKSTEP_ARG_NUMBER:
        to.kind = ARG_NUMBER;
        break;
    case LOCKSTEP_ARG_FLAG:
        to.kind = ARG_FLAG;
        break;
    case LOCKSTEP_ARG_WORD:
        to.kind = ARG_WORD;
        break;
    case LOCKSTEP_ARG_NUMBERS:
        to.kind = ARG_NUMBERS;
        break;
    default:
        to.kind = ARG_NULL;
    }
    return to;
}

static bool is_declared(const struct lockstep_transform *t, const char *op)
{
    for (const char *const *name = t->emits; *name; name++)
        if (strcmp(*name, op) == 0)
            return true;
    return false;
}

/* Refuses ops that `emits` does not declare: the plan does not expect them. */
void host_emit(struct lockstep_run *run, const char *op, const struct lockstep_arg *args,
               bool shared)
{
    struct drawing *d = drawing_of(run);
    struct arg *own;
    size_t n = 0;

    if (!is_declared(d->entry, op)) {
        emit_refuse(d->run, "the plugin emitted an op that is not in its `emits` (a defect)");
        return;
    }
    while (args && args[n].name)
        n++;
    own = ARENA_ARRAY(d->run->arena, struct arg, n + 1);
    for (size_t i = 0; i < n; i++)
        own[i] = arg_of(&args[i]);
    emit_args(d->run, op, own, shared);
    d->seen = NULL;
    look(run, d->run);
}

void host_fail(struct lockstep_run *run, const char *why)
{
    struct text shown = { 0 };

    text_add_visible(&shown, why ? why : "", why ? strlen(why) : 0);
    emit_refuse(drawing_of(run)->run, "%s", text_string(&shown));
    text_drop(&shown);
}

/* --- reading --- */

size_t host_objects(struct lockstep_run *run)
{
    struct drawing *d = drawing_of(run);

    if (!d->seen)
        d->seen = run_objects(d->run, &d->n_seen);
    return d->n_seen;
}

bool host_find_object(struct lockstep_run *run, size_t i, struct lockstep_object *to)
{
    const struct kept_object *s;

    if (i >= host_objects(run))
        return false;
    s = &drawing_of(run)->seen[i];
    *to = (struct lockstep_object){ .has_box = s->has_box,
                                    .crowd = s->crowd,
                                    .x = s->box.x0,
                                    .y = s->box.y0,
                                    .width = s->box.x1 - s->box.x0,
                                    .height = s->box.y1 - s->box.y0,
                                    .area = s->area,
                                    .visibility = s->visibility,
                                    .category = s->category };
    return true;
}

const struct lockstep_host plugin_host = {
    .memory = host_memory,
    .refuse = host_refuse,
    .scratch = host_scratch,
    .object = host_object,
    .drop = host_drop,
    .unit = host_unit,
    .between = host_between,
    .integer = host_integer,
    .normal = host_normal,
    .emit = host_emit,
    .fail = host_fail,
    .objects = host_objects,
    .seen = host_find_object,
};

/* --- the entry --- */

static bool check(const struct transform *t, const void *params, const struct value *step,
                  struct faults *faults)
{
    const struct lockstep_transform *entry = t->entry;
    const char *wrong = entry->check ? entry->check(params) : NULL;

    return !wrong || value_fault(faults, step, false, "param-conflict", "%s", wrong);
}

static void draw(const struct transform *t, struct run *run)
{
    struct drawing d = { .run = run, .entry = t->entry };
    struct lockstep_run own = { .host = &plugin_host, .own = &d };

    look(&own, run);
    d.entry->draw(run->params, &own);
}

static enum group group_of(const struct lockstep_transform *t, const struct plugin *plugin)
{
    const struct op *op = NULL;

    if (t->group)
        return adapt_group(t->group);
    for (size_t i = 0; t->emits[0] && i < plugin->n_ops && !op; i++)
        op = strcmp(plugin->ops[i].name, t->emits[0]) == 0 ? &plugin->ops[i] : NULL;
    if (!op && t->emits[0])
        op = registry_op(t->emits[0]);
    return op ? op->group : GROUP_POLICY;
}

struct transform adapt_transform(const struct adapter *a, const struct lockstep_transform *t,
                                 const struct row *rows, const struct plugin *plugin)
{
    static const struct transform_calls calls = { check, draw };

    return (struct transform){
        .name = t->name,
        .summary = t->summary,
        .example = t->example,
        .group = group_of(t, plugin),
        .origin = ORIGIN_PLUGIN,
        .emits = t->emits,
        .params = rows,
        .params_size = t->params_size,
        .chance = t->chance,
        .plugin = a->table->name,
        .calls = &calls,
        .entry = t,
    };
}
