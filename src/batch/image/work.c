/* work: shared functions of the steps of an image. */
#include "batch/image/work.h"

bool work_fail(struct work *w, enum outcome outcome, const char *what, const char *why)
{
    text_clear(&w->report->why);
    text_addf(&w->report->why, "%s%s%s", what, *what && *why ? ": " : "", why);
    w->report->outcome = outcome;
    return false;
}

void work_end_stage(const struct work *w, enum stage stage)
{
    clock_lap(w->scratch->clock, stage, 0);
}

bool work_differs(const struct record *r, struct frame f)
{
    return r->width && r->height && (r->width != f.width || r->height != f.height);
}
