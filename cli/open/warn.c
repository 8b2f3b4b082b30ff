/* warn: warns of probable mistakes in a plan. */
#include "open/dataset.h"

#include "migrate/aliases/foreign.h"

struct warning {
    const struct plan *plan;
    bool given; /* one is enough to make the reader look */
};

static bool warn_of_default(const struct step *step, void *context)
{
    struct warning *w = context;
    const struct plan *plan = w->plan;
    struct arena arena = { 0 };
    const char *remark;
    const struct value *value = foreign_default(step->source, &remark, &arena);
    size_t line, column;

    if (value && !w->given) {
        w->given = true;
        text_place(plan->text, value->at.offset, &line, &column);
        message_print("%s:%zu:%zu: warning: %s: %s [default-foreign]", plan->file, line, column,
                      value_path(value, &arena), remark);
    }
    arena_drop(&arena);
    return true;
}

void warn_of_defaults(const struct plan *plan)
{
    steps_walk(&plan->transforms, warn_of_default, &(struct warning){ plan, false });
}
