/* clamp_bounding_boxes: clips boxes that exceed the image. */
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
    .summary = "clip boxes that exceed the image; boxes that an op moved are clipped anyway",
    .group = GROUP_LABELS,
    .origin = ORIGIN_TORCHVISION,
    .example = "{\"type\": \"clamp_bounding_boxes\"}",
    .effect = EFFECT_RELABELS,
    .subject = SUBJECT_OBJECTS,
    .resolve = resolve,
};
