/* rename_categories: renames categories in the list that is written. Objects are unchanged, so that
 * all steps use the names of the annotations. */
#include "steps/op_shared/labels.h"

#include <string.h>

struct params {
    struct names from, to;
};

static const struct row rows[] = {
    NAMES(struct params, from, .preset = "null", .categories = true,
          .help = "names of categories of the annotations"),
    NAMES(struct params, to, .preset = "null",
          .help = "new name of each, in the same order; no two categories may have one name"),
    ROWS_END,
};

static bool check(const void *params, const struct value *step, struct faults *faults)
{
    const struct params *p = params;
    bool good = true;

    if (p->from.n != p->to.n)
        return value_fault(faults, value_get(step, p->to.n ? "to" : "from"), false, "param-length",
                           "`from` and `to` must have the same number of names, not %zu and %zu",
                           p->from.n, p->to.n);
    for (size_t i = 0; i < p->to.n; i++)
        if (!*p->to.at[i] || strpbrk(p->to.at[i], "\r\n"))
            good = value_fault(faults, value_get(step, "to"), false, "param-type",
                               "a name must not be empty or contain line ends");
    return good;
}

static bool keep(const void *params, const struct rules *rules, struct sample *sample,
                 struct text *why)
{
    (void)params;
    (void)rules;
    (void)sample;
    (void)why;
    return true;
}

static struct class_change class_change(const void *params)
{
    const struct params *p = params;

    return (struct class_change){ CLASSES_RENAMED, p->from, p->to };
}

static bool resolve(const void *params, const struct scene *scene, struct action *out)
{
    (void)scene;
    action_labels(out, keep, params);
    return true;
}

const struct op rename_categories_op = {
    .name = "rename_categories",
    .summary =
        "rename categories in the list that is written; this step is outside of other steps, "
        "and after all steps that use the names",
    .group = GROUP_LABELS,
    .origin = ORIGIN_OWN,
    .example = "{\"type\": \"rename_categories\", \"from\": [\"car\"], \"to\": [\"vehicle\"]}",
    .params = rows,
    .params_size = sizeof(struct params),
    .effect = EFFECT_RELABELS,
    .subject = SUBJECT_OBJECTS,
    .check = check,
    .class_change = class_change,
    .resolve = resolve,
    .sizeless = true,
};
