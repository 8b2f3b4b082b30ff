/* set_image_label: gives the whole image one category. */
#include "steps/op.h"
#include "steps/op_shared/actions.h"
#include "steps/op_shared/rows.h"

#include <string.h>

struct params {
    const char *category;
};

static const struct row rows[] = {
    TEXT(struct params, category, .preset = "\"\"",
         .help = "name of a category of the annotations; \"\": the labels are unchanged"),
    ROWS_END,
};

static bool set(const void *params, const struct rules *rules, struct sample *sample,
                struct text *why)
{
    const struct params *p = params;

    (void)rules;
    for (size_t i = 0; i < sample->n_categories; i++)
        if (strcmp(sample->categories[i].name, p->category) == 0) {
            sample_set_label(sample, &sample->categories[i]);
            return true;
        }
    if (*p->category)
        text_addf(why, "the annotations have no category \"%s\"", p->category);
    return !*p->category;
}

static struct class_change class_change(const void *params)
{
    const struct params *p = params;

    return (struct class_change){ CLASSES_MOVED, { 0 }, { &p->category, 1 } };
}

static bool resolve(const void *params, const struct scene *scene, struct action *out)
{
    (void)scene;
    action_labels(out, set, params);
    return true;
}

const struct op set_image_label_op = {
    .name = "set_image_label",
    .summary = "replace the image's labels by one category with weight 1",
    .group = GROUP_LABELS,
    .origin = ORIGIN_OWN,
    .example = "{\"type\": \"set_image_label\", \"category\": \"\"}",
    .params = rows,
    .params_size = sizeof(struct params),
    .effect = EFFECT_RELABELS,
    .class_change = class_change,
    .resolve = resolve,
    .sizeless = true,
};
