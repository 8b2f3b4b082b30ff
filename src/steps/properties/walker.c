/* walker: the context of the walks. */
#include "steps/properties/walker.h"

#include <stdio.h>

bool walk_check(struct walker *w, bool holds, const char *what)
{
    w->n_checks++;
    w->n_failed += !holds;
    if (!holds)
        w->failed(w, what);
    return holds;
}

void walk_name(struct walker *w, const struct plan *plan, struct frame f, struct pixel_kind kind)
{
    struct text step = { 0 };

    step_print(plan->transforms.step, &step);
    snprintf(w->about, sizeof w->about, "%dx%d, %d channels of %zu bits: %s", f.width, f.height,
             kind.channels, 8 * pixel_type_size(kind.type), text_string(&step));
    text_drop(&step);
}

void walk_drop(struct walker *w)
{
    pool_drop(&w->pool);
}
