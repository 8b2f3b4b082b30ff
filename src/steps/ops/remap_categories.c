/* remap_categories: changes the categories of objects. */
#include "steps/op_shared/labels.h"

struct params {
    struct names from, to;
};

static const struct row rows[] = {
    NAMES(struct params, from, .preset = "null", .categories = true,
          .help = "names of categories of the annotations"),
    NAMES(struct params, to, .preset = "null", .categories = true,
          .help = "new category of the objects of each, in the same order: names of categories "
                  "of the annotations"),
    ROWS_END,
};

static bool check(const void *params, const struct value *step, struct faults *faults)
{
    const struct params *p = params;

    if (p->from.n == p->to.n)
        return true;
    return value_fault(faults, value_get(step, p->to.n ? "to" : "from"), false, "param-length",
                       "`from` and `to` must have the same number of names, not %zu and %zu",
                       p->from.n, p->to.n);
}

static bool remap(const void *params, const struct rules *rules, struct sample *sample,
                  struct text *why)
{
    const struct params *p = params;

    (void)rules;
    (void)why;
    relabel_objects(sample, &p->from, &p->to);
    return true;
}

static struct class_change class_change(const void *params)
{
    const struct params *p = params;

    return (struct class_change){ CLASSES_MOVED, p->from, p->to };
}

static bool resolve(const void *params, const struct scene *scene, struct action *out)
{
    (void)scene;
    action_labels(out, remap, params);
    return true;
}

const struct op remap_categories_op = {
    .name = "remap_categories",
    .summary = "change the category of objects and image labels; categories that no object can "
               "have leave the list",
    .group = GROUP_LABELS,
    .origin = ORIGIN_OWN,
    .example = "{\"type\": \"remap_categories\", \"from\": [\"boat\"], \"to\": [\"car\"]}",
    .params = rows,
    .params_size = sizeof(struct params),
    .effect = EFFECT_RELABELS,
    .subject = SUBJECT_OBJECTS,
    .check = check,
    .class_change = class_change,
    .resolve = resolve,
    .sizeless = true,
};
