/* unused_steps: steps of a plan that have no effect on a dataset. */
#include "plan/unused_steps.h"

struct search {
    bool objects, keypoints; /* the dataset has some */
    struct text *out;
};

static bool has_keypoints(const struct dataset *d)
{
    for (size_t i = 0; i < d->n_categories; i++)
        if (d->categories[i].annotated)
            return true;
    return d->list && has_keypoints(d->list);
}

static bool print_idle(const struct step *step, void *context)
{
    struct search *w = context;
    enum subject subject = step->transform ? step->transform->subject : step->op->subject;
    bool idle = (subject == SUBJECT_OBJECTS && !w->objects) ||
                (subject == SUBJECT_KEYPOINTS && !w->keypoints);

    if (!idle)
        return true;
    text_adds(w->out, w->out->length ? ", #" : "#");
    step_print_number(step, w->out);
    text_addf(w->out, " %s", step_name(step));
    return true;
}

void idle_print(const struct plan *plan, const struct dataset *d, struct text *out)
{
    struct search w = { d->format && d->n_objects, d->format && has_keypoints(d), out };

    steps_walk(&plan->transforms, print_idle, &w);
}
