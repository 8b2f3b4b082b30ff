/* ClampKeyPoints: moves keypoints outside of the image to its edge. */
#include "steps/transform.h"

static void draw(struct run *run)
{
    emit_plain(run, "clamp_keypoints");
}

const struct transform ClampKeyPoints_transform = {
    .name = "ClampKeyPoints",
    .summary = "move keypoints outside of the image to its edge, as hidden ones, instead of "
               "removing them",
    .group = GROUP_LABELS,
    .origin = ORIGIN_TORCHVISION,
    .example = "{\"type\": \"ClampKeyPoints\"}",
    .emits = (const char *const[]){ "clamp_keypoints", NULL },
    .subject = SUBJECT_KEYPOINTS,
    .draw = draw,
};
