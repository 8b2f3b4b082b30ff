/* nms: of overlapping boxes, keeps the one with the highest score. */
#include "steps/op_shared/labels.h"

static const struct row rows[] = {
    SUPPRESS_ROWS(struct suppress),
    ROWS_END,
};

static bool suppress(const void *params, const struct rules *rules, struct sample *sample,
                     struct text *why)
{
    const struct suppress *p = params;
    struct detections d = detections_of(sample, rules, (enum box_edges)p->edges, &p->default_score);

    (void)why;
    detections_suppress(&d, p, "nms");
    if (p->max_objects.given)
        detections_limit(&d, (size_t)p->max_objects.number, (enum label_order)p->order);
    return true;
}

static bool resolve(const void *params, const struct scene *scene, struct action *out)
{
    (void)scene;
    action_labels(out, suppress, params);
    return true;
}

const struct op nms_op = {
    .name = "nms",
    .summary = "non-maximum suppression: of overlapping boxes, keep the one with the highest "
               "score, whatever their categories",
    .group = GROUP_LABELS,
    .origin = ORIGIN_TORCHVISION,
    .differs = "the remaining boxes keep the file's order",
    .example = "{\"type\": \"nms\", \"iou_threshold\": 0.5, \"default_score\": 1}",
    .params = rows,
    .params_size = sizeof(struct suppress),
    .effect = EFFECT_RELABELS,
    .subject = SUBJECT_OBJECTS,
    .resolve = resolve,
    .sizeless = true,
};
