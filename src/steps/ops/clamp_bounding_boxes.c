/* clamp_bounding_boxes: boxes that reach beyond the image end at its edge. */
#include "steps/op.h"
#include "steps/op_shared/actions.h"

static bool clamp(const void *params, const struct rules *rules, struct sample *sample,
                  struct text *why)
{
    (void)params;
    (void)why;
    (void)rules;
    sample_clamp_boxes(sample);
    return true;
}

static bool resolve(const void *params, const struct scene *scene, struct action *out)
{
    (void)scene;
    action_labels(out, clamp, params);
    return true;
}

const struct op clamp_bounding_boxes_op = {
    .name = "clamp_bounding_boxes",
    .summary = "cut boxes that reach beyond the image; those that are moved are cut anyway",
    .group = GROUP_LABELS,
    .origin = ORIGIN_TORCHVISION,
    .example = "{\"type\": \"clamp_bounding_boxes\"}",
    .effect = EFFECT_RELABELS,
    .subject = SUBJECT_OBJECTS,
    .resolve = resolve,
};
