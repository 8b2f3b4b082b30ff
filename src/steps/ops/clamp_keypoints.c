/* clamp_keypoints: moves keypoints outside of the image to its edge. */
#include "steps/op.h"
#include "steps/op_shared/actions.h"

static bool clamp(const void *params, const struct rules *rules, struct sample *sample,
                  struct text *why)
{
    (void)params;
    (void)why;
    (void)rules;
    sample_clamp_keypoints(sample);
    return true;
}

static bool resolve(const void *params, const struct scene *scene, struct action *out)
{
    (void)scene;
    action_labels(out, clamp, params);
    return true;
}

const struct op clamp_keypoints_op = {
    .name = "clamp_keypoints",
    .summary = "move keypoints outside of the image to its edge, as hidden ones, instead of "
               "removing them",
    .group = GROUP_LABELS,
    .origin = ORIGIN_TORCHVISION,
    .example = "{\"type\": \"clamp_keypoints\"}",
    .effect = EFFECT_RELABELS,
    .subject = SUBJECT_KEYPOINTS,
    .resolve = resolve,
};
