/* drop_categories: drops the objects of some categories. */
#include "steps/op_shared/labels.h"

struct params {
    struct names categories;
};

static const struct row rows[] = {
    NAMES(struct params, categories, .preset = "null", .categories = true,
          .help = "names of categories of the annotations; null: none"),
    ROWS_END,
};

static bool drop(const void *params, const struct rules *rules, struct sample *sample,
                 struct text *why)
{
    const struct params *p = params;

    (void)rules;
    (void)why;
    relabel_objects(sample, &p->categories, NULL);
    return true;
}

static struct class_change class_change(const void *params)
{
    const struct params *p = params;

    return (struct class_change){ CLASSES_DROPPED, p->categories, { 0 } };
}

static bool resolve(const void *params, const struct scene *scene, struct action *out)
{
    (void)scene;
    action_labels(out, drop, params);
    return true;
}

const struct op drop_categories_op = {
    .name = "drop_categories",
    .summary = "drop objects, including crowds, and image labels of categories, which leave the "
               "list; label masks are unchanged",
    .group = GROUP_LABELS,
    .origin = ORIGIN_OWN,
    .example = "{\"type\": \"drop_categories\", \"categories\": [\"boat\"]}",
    .params = rows,
    .params_size = sizeof(struct params),
    .effect = EFFECT_RELABELS,
    .subject = SUBJECT_OBJECTS,
    .class_change = class_change,
    .resolve = resolve,
    .sizeless = true,
};
