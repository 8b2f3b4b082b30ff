/* batched_nms: non-maximum suppression within each category. */
#include "steps/op_shared/labels.h"

static const struct row rows[] = {
    SUPPRESS_ROWS(struct suppress),
    ROWS_END,
};

static bool suppress(const void *params, const struct rules *rules, struct sample *sample,
                     struct text *why)
{
    const struct suppress *p = params;
    struct detections all =
        detections_of(sample, rules, (enum box_edges)p->edges, &p->default_score);
    struct detections grouped = { ARENA_ARRAY(sample->arena, struct detection, all.n), all.n };

    (void)why;
    for (size_t i = 0; i < all.n; i++)
        grouped.at[i] = all.at[i];
    detections_by_category(&grouped);
    for (size_t from = 0, end; from < grouped.n; from = end) {
        end = detections_end(&grouped, from);
        detections_suppress(&(struct detections){ grouped.at + from, end - from }, p,
                            "batched_nms");
    }
    if (p->max_objects.given)
        detections_limit(&all, (size_t)p->max_objects.number, (enum label_order)p->order);
    return true;
}

static bool resolve(const void *params, const struct scene *scene, struct action *out)
{
    (void)scene;
    action_labels(out, suppress, params);
    return true;
}

const struct op batched_nms_op = {
    .name = "batched_nms",
    .summary = "non-maximum suppression within each category: of overlapping boxes, keep the "
               "one with the highest score",
    .group = GROUP_LABELS,
    .origin = ORIGIN_TORCHVISION,
    .differs = "the remaining boxes keep the file's order",
    .example = "{\"type\": \"batched_nms\", \"iou_threshold\": 0.5, \"default_score\": 1}",
    .params = rows,
    .params_size = sizeof(struct suppress),
    .effect = EFFECT_RELABELS,
    .subject = SUBJECT_OBJECTS,
    .resolve = resolve,
    .sizeless = true,
};
