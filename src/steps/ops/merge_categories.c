/* merge_categories: turns objects of several categories into objects of one. */
#include "steps/op_shared/labels.h"

struct params {
    struct names from, into;
};

static const struct row rows[] = {
    NAMES(struct params, from, .preset = "null", .categories = true,
          .help = "names of categories of the annotations"),
    NAMES(struct params, into, .preset = "null", .categories = true,
          .help = "name of the category that the objects get, which must be in the annotations"),
    ROWS_END,
};

static bool check(const void *params, const struct value *step, struct faults *faults)
{
    const struct params *p = params;

    if (p->into.n == 1 || (!p->into.n && !p->from.n))
        return true;
    return value_fault(faults, value_get(step, p->into.n ? "into" : "from"), false, "param-length",
                       "`into` must have one name, not %zu", p->into.n);
}

static bool merge(const void *params, const struct rules *rules, struct sample *sample,
                  struct text *why)
{
    const struct params *p = params;

    (void)rules;
    (void)why;
    relabel_objects(sample, &p->from, &p->into);
    return true;
}

static struct class_change class_change(const void *params)
{
    const struct params *p = params;

    return (struct class_change){ CLASSES_MOVED, p->from, p->into };
}

static bool resolve(const void *params, const struct scene *scene, struct action *out)
{
    (void)scene;
    action_labels(out, merge, params);
    return true;
}

const struct op merge_categories_op = {
    .name = "merge_categories",
    .summary = "give objects and image labels of several categories one category; the others leave "
               "the list",
    .group = GROUP_LABELS,
    .origin = ORIGIN_OWN,
    .example = "{\"type\": \"merge_categories\", \"from\": [\"apple\", \"banana\"], \"into\": "
               "[\"orange\"]}",
    .params = rows,
    .params_size = sizeof(struct params),
    .effect = EFFECT_RELABELS,
    .subject = SUBJECT_OBJECTS,
    .check = check,
    .class_change = class_change,
    .resolve = resolve,
    .sizeless = true,
};
