/* scores: steps that need the scores of detections, and objects without scores. */
#include "plan/scores.h"

#include <string.h>

/* A row with this name and kind is the score of objects without one. */
static bool find_wanted(const struct step *step, void *context)
{
    const struct step **found = context;
    const struct row *row = row_get(step_own_rows(step), "default_score");
    const struct optional *score;

    if (!row || row->kind != &optional_kind || *found)
        return true;
    score = (const void *)((const char *)step->params + row->offset);
    if (!score->given)
        *found = step;
    return true;
}

const struct step *scores_wanted(const struct plan *plan)
{
    const struct step *found = NULL;

    steps_walk(&plan->transforms, find_wanted, &found);
    return found;
}

const char *const scores_default = "the step's \"default_score\" is used for objects without one";

bool scores_check(const struct step *wanted, const char *otherwise, const struct dataset *d,
                  size_t record, const struct sample *sample, struct faults *faults)
{
    bool good = true;

    for (size_t i = 0; wanted && i < sample->n_objects; i++) {
        const struct object *o = &sample->objects[i];
        struct slice element = { 0 };
        struct text path = { 0 };
        size_t order = 0;

        if (o->has_score || o->crowd)
            continue;
        if (d->format->find_object)
            element = d->format->find_object(d, record, o->index, &order);
        if (element.at)
            text_addf(&path, "%s[%zu]", d->format->listed ? "" : "annotations", order);
        else
            text_adds(&path, d->records[record].name);
        good = fault_add(faults, element.at ? (size_t)(element.at - faults->text.at) : 0,
                         element.at ? 1 : 0, text_string(&path), "score-missing",
                         "%s needs the \"score\" of each object; %s", step_name(wanted), otherwise);
        text_drop(&path);
    }
    return good;
}
