/* keep_centers: drops objects whose center is outside of a window. */
#include "steps/op.h"
#include "steps/op_shared/actions.h"
#include "steps/op_shared/rows.h"

struct params {
    int top, left, height, width;
};

static const struct row rows[] = {
    CROP_ROWS(struct params),
    ROWS_END,
};

static bool keep(const void *params, const struct rules *rules, struct sample *sample,
                 struct text *why)
{
    const struct params *p = params;

    (void)why;
    sample_keep_centers(
        sample, rules,
        (struct box){ p->left, p->top, (double)p->left + p->width, (double)p->top + p->height });
    return true;
}

static bool resolve(const void *params, const struct scene *scene, struct action *out)
{
    (void)scene;
    action_labels(out, keep, params);
    return true;
}

const struct op keep_centers_op = {
    .name = "keep_centers",
    .summary = "drop objects whose box has its centre outside of a window; crowds are kept",
    .group = GROUP_LABELS,
    .origin = ORIGIN_OWN,
    .example = "{\"type\": \"keep_centers\", \"top\": 20, \"left\": 40, \"height\": 80, "
               "\"width\": 100}",
    .params = rows,
    .params_size = sizeof(struct params),
    .effect = EFFECT_RELABELS,
    .subject = SUBJECT_OBJECTS,
    .resolve = resolve,
};
