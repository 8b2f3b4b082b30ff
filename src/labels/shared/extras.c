/* extras: properties of objects that the pipeline does not drop. */
#include "labels/shared/extras.h"

struct visit {
    const struct keys *drop;
    void (*visit)(void *context, const struct extra *);
    void *context;
};

static void visit_kept(void *context, const struct extra *e)
{
    const struct visit *v = context;

    for (size_t i = 0; i < v->drop->n; i++)
        if (scan_equals(e->name, v->drop->at[i].name))
            return;
    v->visit(v->context, e);
}

void extras_visit(const struct dataset *d, size_t record, const struct object *o,
                  const struct rules *rules, void (*visit)(void *context, const struct extra *),
                  void *context)
{
    if (d->format->visit_extras)
        d->format->visit_extras(d, record, o, visit_kept,
                                &(struct visit){ &rules->drop_keys, visit, context });
}
