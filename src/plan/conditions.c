/* conditions: checks the conditions of steps: categories, numbers of objects, sizes. */
#include "plan/conditions.h"

#include <string.h>

/* --- conditions of a sample --- */

static bool has_name(const struct names *names, const struct category *category)
{
    for (size_t i = 0; category && i < names->n; i++)
        if (strcmp(names->at[i], category->name) == 0)
            return true;
    return false;
}

static bool objects_will_do(const struct conditions *when, const struct sample *sample,
                            const struct rules *rules)
{
    struct sample finalized = sample_finalized(sample, rules);
    bool found = !when->has_category.n;
    size_t n = 0;

    for (size_t i = 0; i < finalized.n_objects; i++)
        if (!finalized.objects[i].final.dropped) {
            found |= has_name(&when->has_category, finalized.objects[i].category);
            n++;
        }
    return found && !(when->min_objects.given && (double)n < when->min_objects.number) &&
           !(when->max_objects.given && (double)n > when->max_objects.number);
}

bool meets_conditions(const struct step *step, const struct sample *sample,
                      const struct rules *rules)
{
    const struct conditions *when = step->when;
    struct frame f = sample->frame;
    int shorter = f.width < f.height ? f.width : f.height;
    int longer = f.width < f.height ? f.height : f.width;

    if (!when)
        return true;
    if ((when->min_size.given && shorter < when->min_size.number) ||
        (when->max_size.given && longer > when->max_size.number))
        return false;
    return (!when->has_category.n && !when->min_objects.given && !when->max_objects.given) ||
           objects_will_do(when, sample, rules);
}

/* --- names of categories --- */

struct check {
    const struct dataset *dataset;
    struct faults *faults;
};

static void check_name(const struct check *c, const struct value *name, const char *code)
{
    struct nearest near = { .word = name->text };

    for (size_t i = 0; i < c->dataset->n_categories; i++) {
        const char *known = c->dataset->categories[i].name;

        if (strcmp(known, name->text) == 0)
            return;
        nearest_try(&near, known);
    }
    value_fault(c->faults, name, false, code, "%s \"%s\"%s",
                c->dataset->format ? "the annotations have no category"
                                   : "without annotations there is no category",
                name->text, nearest_hint(&near, &c->faults->arena));
}

static void check_names(const struct check *c, const struct value *names, const char *code)
{
    for (size_t i = 0; names && i < names->n; i++)
        check_name(c, &names->item[i], code);
}

static bool check_step(const struct step *step, void *context)
{
    if (step->when && step->when->has_category.n)
        check_names(context, value_get(value_get(step->source, "when"), "has_category"),
                    "when-category");
    /* Without annotations such a step does nothing; unused_steps.c warns of it. */
    for (ROWS (row, step_own_rows(step)))
        if (row->categories && ((const struct check *)context)->dataset->format)
            check_names(context, value_get(step->source, row->name), "category-unknown");
    return true;
}

bool when_check(const struct plan *plan, const struct dataset *dataset, struct faults *faults)
{
    struct check check = { dataset, faults };

    steps_walk(&plan->transforms, check_step, &check);
    return !faults->n;
}
