/* warn: what a plan may not mean, before it is done. */
#include "open.h"

#include "../src/foreign/foreign.h"

static bool warn_of_default(const struct step *step, void *context)
{
    const struct plan *plan = context;
    struct arena arena = { 0 };
    const char *remark;
    const struct value *value = foreign_default(step->source, &remark, &arena);
    size_t line, column;

    if (value) {
        text_place(plan->text, value->at.offset, &line, &column);
        message_print("%s:%zu:%zu: warning: %s: %s [default-foreign]", plan->file, line, column,
                      value_path(value, &arena), remark);
    }
    arena_drop(&arena);
    return !value; /* one is enough to make the reader look */
}

void warn_of_defaults(const struct plan *plan)
{
    steps_walk(&plan->transforms, warn_of_default, (void *)(uintptr_t)plan);
}
