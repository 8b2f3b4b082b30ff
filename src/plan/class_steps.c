/* class_steps: the list of classes that the outputs of a plan have. */
#include "plan/class_steps.h"

#include <string.h>

/* The classes of a dataset, on the way through the steps. */
struct class_walk {
    const struct dataset *dataset;
    struct faults *faults;
    struct text *others;
    size_t n;
    bool *written;          /* per class: an object can have it */
    size_t *result;         /* per class: the class that its objects have now, or CLASS_GONE */
    const char **name;      /* per class: the new name, or NULL */
    bool *may_leave;        /* per class: a step drops or moves it, but not for every image */
    const struct step *top; /* the step at the top level that contains the visited one */
    size_t step;            /* its index */
    size_t *renamed_by;     /* per class: the index of the step that renamed it */
};

/* Returns the index of the class with this name; n if there is none. */
static size_t find_class(const struct class_walk *w, const char *name)
{
    size_t i = 0;

    while (i < w->n && strcmp(w->dataset->categories[i].name, name) != 0)
        i++;
    return i;
}

static size_t find_target(const struct class_walk *w, const struct class_change *change, size_t i)
{
    return find_class(w, change->to.at[change->to.n > 1 ? i : 0]);
}

/* Returns the class that objects of a class have after the change, or CLASS_GONE. */
static size_t change_class(const struct class_walk *w, const struct class_change *change,
                           size_t class)
{
    for (size_t i = 0; i < change->from.n; i++) {
        size_t to;

        if (find_class(w, change->from.at[i]) != class)
            continue;
        if (change->effect == CLASSES_DROPPED)
            return CLASS_GONE;
        to = find_target(w, change, i);
        return to < w->n ? to : class;
    }
    return class;
}

/* --- names --- */

static bool refuse(const struct class_walk *w, const struct step *step, const char *why)
{
    return value_fault(w->faults, value_get(step->source, "type"), false, "class-rename", "%s",
                       why);
}

static void rename_classes(struct class_walk *w, const struct step *step,
                           const struct class_change *change)
{
    for (size_t i = 0; i < change->from.n; i++) {
        size_t class = find_class(w, change->from.at[i]);

        if (class == w->n)
            continue;
        if (w->name[class])
            refuse(w, step, "an earlier step, or this one, has already renamed a class of `from`");
        w->name[class] = change->to.at[i];
        w->renamed_by[class] = w->step;
    }
}

static const char *name_of(const struct class_walk *w, size_t class)
{
    return w->name[class] ? w->name[class] : w->dataset->categories[class].name;
}

/* Checks that all names in the list differ. */
static void check_names(struct class_walk *w)
{
    for (size_t i = 0; i < w->n; i++)
        for (size_t k = 0; w->name[i] && w->written[i] && k < w->n; k++) {
            if (k == i || !w->written[k] || strcmp(name_of(w, k), w->name[i]) != 0 ||
                (w->name[k] && k < i))
                continue;
            fault_add(w->faults, 0, 0, "transforms", "class-rename",
                      "two classes would be called \"%s\"; merge_categories makes one of them",
                      w->name[i]);
        }
}

/* Refuses a name that an earlier step has given another meaning. */
static bool check_name(const struct class_walk *w, const struct value *name)
{
    for (size_t i = 0; i < w->n; i++) {
        bool old = w->name[i] && strcmp(w->dataset->categories[i].name, name->text) == 0;
        bool new = w->name[i] && strcmp(w->name[i], name->text) == 0;

        if ((old || new) && w->renamed_by[i] != w->step)
            return value_fault(w->faults, name, false, "class-rename",
                               "an earlier step renames \"%s\" to \"%s\"; put rename_categories "
                               "after the steps that name these classes",
                               w->dataset->categories[i].name, w->name[i]);
    }
    return true;
}

static void check_list(const struct class_walk *w, const struct value *names)
{
    if (names && names->kind == VALUE_TEXT)
        check_name(w, names);
    for (size_t i = 0; names && names->kind == VALUE_LIST && i < names->n; i++)
        if (names->item[i].kind == VALUE_TEXT)
            check_name(w, &names->item[i]);
}

/* --- steps --- */

static bool runs_always(const struct class_walk *w, const struct step *step)
{
    return step == w->top && step->chance >= 1 && (!step->when || !step->when->given);
}

static void note_other(struct class_walk *w, const struct step *step)
{
    text_adds(w->others, w->others->length ? ", #" : "#");
    step_print_number(step, w->others);
}

/* Adds the classes that some images get. */
static void add_targets(struct class_walk *w, const struct class_change *change)
{
    for (size_t i = 0; i < change->to.n; i++) {
        size_t from = change->from.n ? find_class(w, change->from.at[i]) : w->n, to = w->n;

        if (!change->from.n || (from < w->n && w->written[from]))
            to = find_class(w, change->to.at[i]);
        if (to < w->n)
            w->written[to] = true;
    }
}

/* A merge has one target for all names. */
static struct class_change spread(const struct class_walk *w, struct class_change change)
{
    const char **to;

    if (change.effect != CLASSES_MOVED || change.to.n != 1 || change.from.n < 2)
        return change;
    to = ARENA_ARRAY(w->dataset->arena, const char *, change.from.n);
    for (size_t i = 0; i < change.from.n; i++)
        to[i] = change.to.at[0];
    change.to = (struct names){ to, change.from.n };
    return change;
}

static void change_some(struct class_walk *w, const struct step *step,
                        const struct class_change *change)
{
    bool leaves = false;

    for (size_t i = 0; i < w->n; i++)
        if (w->written[i] && change_class(w, change, i) != i)
            leaves = w->may_leave[i] = true;
    add_targets(w, change);
    if (leaves)
        note_other(w, step);
}

static void change_all(struct class_walk *w, const struct class_change *change)
{
    bool *before = ARENA_ARRAY(w->dataset->arena, bool, w->n);

    memcpy(before, w->written, w->n * sizeof *before);
    memset(w->written, 0, w->n * sizeof *w->written);
    for (size_t i = 0; i < w->n; i++) {
        size_t to = before[i] ? change_class(w, change, i) : CLASS_GONE;

        if (to != CLASS_GONE)
            w->written[to] = true;
        if (w->result[i] != CLASS_GONE)
            w->result[i] = change_class(w, change, w->result[i]);
    }
}

static bool visit(const struct step *step, void *context)
{
    struct class_walk *w = context;
    struct class_change change;

    if (step->when && step->when->has_category.n)
        check_list(w, value_get(value_get(step->source, "when"), "has_category"));
    for (ROWS (row, step_own_rows(step)))
        if (row->categories)
            check_list(w, value_get(step->source, row->name));
    if (!step->op || !step->op->class_change || !(step->chance > 0))
        return true;
    change = spread(w, step->op->class_change(step->params));
    if (change.effect == CLASSES_RENAMED && !change.from.n)
        return true;
    if (change.effect != CLASSES_RENAMED && (!change.from.n || !runs_always(w, step)))
        change_some(w, step, &change);
    else if (change.effect != CLASSES_RENAMED)
        change_all(w, &change);
    else if (runs_always(w, step))
        rename_classes(w, step, &change);
    else
        refuse(w, step,
               "the list of classes is the same for all images: this step must be outside of "
               "other steps, without `when`, and with `p` 1");
    return true;
}

/* --- the result --- */

/* True if ids of classes are their indices, since the source has no ids. */
static bool has_indices_as_ids(const struct dataset *d)
{
    bool same = d->format->suffix != NULL;

    for (size_t i = 0; same && i < d->n_categories; i++)
        same = d->categories[i].id == (int64_t)i;
    return same;
}

static const struct written_classes *make_list(const struct class_walk *w, struct arena *arena)
{
    const struct dataset *d = w->dataset;
    struct written_classes *list = ARENA_NEW(arena, struct written_classes);
    struct category *at = ARENA_ARRAY(arena, struct category, w->n);
    const struct category **result = ARENA_ARRAY(arena, const struct category *, w->n);
    size_t *place = ARENA_ARRAY(arena, size_t, w->n);
    bool numbers = has_indices_as_ids(d);

    for (size_t i = 0; i < w->n; i++) {
        size_t to = w->result[i];

        result[i] = to != CLASS_GONE && w->written[to] ? &d->categories[to] : NULL;
        place[i] = w->written[i] ? list->n : CLASS_GONE;
        if (!w->written[i])
            continue;
        at[list->n] = d->categories[i];
        at[list->n].name = name_of(w, i);
        at[list->n].id = numbers ? (int64_t)list->n : d->categories[i].id;
        list->n++;
    }
    list->at = at;
    list->place = place;
    list->result = result;
    return list;
}

static bool has_changed(const struct class_walk *w)
{
    for (size_t i = 0; i < w->n; i++)
        if (!w->written[i] || w->name[i])
            return true;
    return false;
}

void class_steps_apply(const struct plan *plan, struct dataset *d, struct text *others,
                       struct faults *faults)
{
    struct class_walk w = { .dataset = d,
                            .faults = faults,
                            .others = others,
                            .n = d->n_categories,
                            .written = ARENA_ARRAY(d->arena, bool, d->n_categories),
                            .result = ARENA_ARRAY(d->arena, size_t, d->n_categories),
                            .name = ARENA_ARRAY(d->arena, const char *, d->n_categories),
                            .may_leave = ARENA_ARRAY(d->arena, bool, d->n_categories),
                            .renamed_by = ARENA_ARRAY(d->arena, size_t, d->n_categories) };
    bool stays = false;

    d->written = NULL;
    if (!d->format)
        return;
    for (size_t i = 0; i < w.n; i++) {
        w.written[i] = true;
        w.result[i] = i;
    }
    for (w.step = 0; w.step < plan->transforms.n; w.step++) {
        w.top = &plan->transforms.step[w.step];
        steps_walk(&(struct steps){ w.top, 1 }, visit, &w);
    }
    check_names(&w);
    for (size_t i = 0; i < w.n; i++)
        stays |= w.may_leave[i] && w.written[i];
    if (!stays)
        text_clear(others);
    if (has_changed(&w) && !faults->n)
        d->written = make_list(&w, d->arena);
}
