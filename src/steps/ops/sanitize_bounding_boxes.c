/* sanitize_bounding_boxes: drops objects with small boxes. */
#include "steps/op.h"
#include "steps/op_shared/actions.h"
#include "steps/op_shared/rows.h"

struct params {
    double min_size, min_area;
};

static const struct row rows[] = {
    SANITIZE_ROWS(struct params),
    ROWS_END,
};

static bool sanitize(const void *params, const struct rules *rules, struct sample *sample,
                     struct text *why)
{
    const struct params *p = params;

    (void)why;
    sample_sanitize_boxes(sample, rules, p->min_size, p->min_area);
    return true;
}

static bool resolve(const void *params, const struct scene *scene, struct action *out)
{
    (void)scene;
    action_labels(out, sanitize, params);
    return true;
}

const struct op sanitize_bounding_boxes_op = {
    .name = "sanitize_bounding_boxes",
    .summary = "drop objects whose box is small or outside the image at this step",
    .group = GROUP_LABELS,
    .origin = ORIGIN_TORCHVISION,
    .example = "{\"type\": \"sanitize_bounding_boxes\", \"min_size\": 4}",
    .params = rows,
    .params_size = sizeof(struct params),
    .effect = EFFECT_RELABELS,
    .subject = SUBJECT_OBJECTS,
    .resolve = resolve,
};
